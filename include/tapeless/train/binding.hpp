// SPDX-License-Identifier: BSL-1.0
// "x"_t = values: what is given to an input, or to a run-time extent, by its name.
#pragma once

#include <array>
#include <concepts>
#include <iterator>

#include <tapeless/graph/node.hpp>

namespace tapeless {

/// Elements that are bound to an input, without their type.
struct bound_elements {
  bool given = false;
  const std::byte* data = nullptr;         // null where they are on a device alone
  const std::byte* device_data = nullptr;  // null where they are not on one
  int device = -1;
  element type = element::f32;
  std::int64_t count = 0;
  int rank = -1;  // -1: the shape is not known, only the count
  std::array<std::int64_t, max_rank> shape{};
  friend bool operator==(const bound_elements&, const bound_elements&) = default;
};

/// One name's binding: elements, or a single number (a scalar input's element, or a run-time extent).
template <name Name>
class binding {
 public:
  static constexpr const name* label = &interned<Name>;

  template <element_type T>
  constexpr explicit binding(T number)
      : is_number_(true), extent_(static_cast<std::int64_t>(number)), number_(number) {
    elements_.given = true;
    elements_.type = element_of<T>;
    elements_.count = 1;
    elements_.rank = 0;
  }
  constexpr explicit binding(const bound_elements& elements) : elements_(elements) {}

  /// A number that outlives the binding, such as a struct's member.
  template <element_type T>
  static binding to_lasting(const T& number) {
    binding b(number);
    b.elements_.data = reinterpret_cast<const std::byte*>(&number);
    return b;
  }

  constexpr bool is_number() const { return is_number_; }
  constexpr std::int64_t extent() const { return extent_; }
  bound_elements elements() const {
    bound_elements e = elements_;
    if (e.data == nullptr && is_number_) e.data = reinterpret_cast<const std::byte*>(&number_);
    return e;
  }

 private:
  bound_elements elements_;
  bool is_number_ = false;
  std::int64_t extent_ = 0;
  union any_number {
    constexpr any_number() : i64(0) {}
    constexpr any_number(float x) : f32(x) {}
    constexpr any_number(double x) : f64(x) {}
    constexpr any_number(bool x) : boolean(x) {}
    constexpr any_number(f16 x) : half(x) {}
    constexpr any_number(bf16 x) : brain(x) {}
    constexpr any_number(unsigned char x) : u8(x) {}
    template <std::signed_integral T>
    constexpr any_number(T x) {
      if constexpr (sizeof(T) == 4) {
        i32 = static_cast<std::int32_t>(x);
      } else {
        i64 = static_cast<std::int64_t>(x);
      }
    }
    float f32;
    double f64;
    f16 half;
    bf16 brain;
    std::int32_t i32;
    std::int64_t i64;
    unsigned char u8;
    bool boolean;
  } number_;
};

template <class T>
inline constexpr bool is_binding = false;
template <name Name>
inline constexpr bool is_binding<binding<Name>> = true;

/// What has data() and size(), or is an array, of elements that a tensor can have.
template <class R>
concept elements_side_by_side = requires(const R& range) {
  std::size(range);
  requires element_type<std::remove_cvref_t<decltype(*std::data(range))>>;
};

template <name Name>
struct tag {
  /// Elements side by side: a vector, an array, a span, a view of a tensor (whose shape is checked).
  template <elements_side_by_side R>
  auto operator=(const R& range) const {
    using value_type = std::remove_cvref_t<decltype(*std::data(range))>;
    bound_elements e{.given = true};
    e.data = reinterpret_cast<const std::byte*>(std::data(range));
    e.type = element_of<value_type>;
    e.count = static_cast<std::int64_t>(std::size(range));
    if constexpr (requires { range.shape(); }) {
      e.rank = static_cast<int>(range.shape().size());
      for (std::size_t i = 0; i < range.shape().size(); ++i) e.shape[i] = range.shape()[i];
    }
    return binding<Name>(e);
  }
  auto operator=(const bound_elements& e) const { return binding<Name>(e); }
  /// A scalar input's element, or a run-time extent.
  template <element_type T>
  constexpr auto operator=(T number) const {
    return binding<Name>(number);
  }
};

namespace literals {

/// "x"_t = values binds the input x.
template <name Name>
constexpr tag<Name> operator""_t() {
  return {};
}

}  // namespace literals

}  // namespace tapeless
