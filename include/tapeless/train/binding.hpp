// SPDX-License-Identifier: BSL-1.0
// "x"_t = values: what is given to an input, or to a run-time extent, by its name.
#pragma once

#include <array>
#include <cstring>
#include <ranges>
#include <span>

#include <tapeless/graph/node.hpp>

namespace tapeless {

/// Elements that are bound to an input, without their type.
struct bound_elements {
  bool given = false;
  const std::byte* data = nullptr;
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
  explicit binding(T number) : is_number_(true), extent_(static_cast<std::int64_t>(number)) {
    elements_.given = true;
    elements_.type = element_of<T>;
    elements_.count = 1;
    elements_.rank = 0;
    std::memcpy(number_.data(), &number, sizeof number);
  }
  explicit binding(const bound_elements& elements) : elements_(elements) {}

  /// A number that outlives the binding, such as a struct's member.
  template <element_type T>
  static binding to_lasting(const T& number) {
    binding b(number);
    b.elements_.data = reinterpret_cast<const std::byte*>(&number);
    return b;
  }

  bool is_number() const { return is_number_; }
  std::int64_t extent() const { return extent_; }
  bound_elements elements() const {
    bound_elements e = elements_;
    if (e.data == nullptr && is_number_) e.data = number_.data();
    return e;
  }

 private:
  bound_elements elements_;
  bool is_number_ = false;
  std::int64_t extent_ = 0;
  alignas(8) std::array<std::byte, 8> number_{};
};

template <class T>
inline constexpr bool is_binding = false;
template <name Name>
inline constexpr bool is_binding<binding<Name>> = true;

template <name Name>
struct tag {
  /// Elements side by side: a vector, an array, a span, a view of a tensor (whose shape is checked).
  template <std::ranges::contiguous_range R>
    requires element_type<std::ranges::range_value_t<R>>
  auto operator=(const R& range) const {
    bound_elements e{.given = true};
    e.data = reinterpret_cast<const std::byte*>(std::ranges::data(range));
    e.type = element_of<std::ranges::range_value_t<R>>;
    e.count = static_cast<std::int64_t>(std::ranges::size(range));
    if constexpr (requires { range.shape(); }) {
      e.rank = static_cast<int>(range.shape().size());
      for (std::size_t i = 0; i < range.shape().size(); ++i) e.shape[i] = range.shape()[i];
    }
    return binding<Name>(e);
  }
  auto operator=(const bound_elements& e) const { return binding<Name>(e); }
  /// A scalar input's element, or a run-time extent.
  template <element_type T>
  auto operator=(T number) const {
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
