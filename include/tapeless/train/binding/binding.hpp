// SPDX-License-Identifier: BSL-1.0
// What is given to an input, or to a run-time extent, by its name: where its elements are, or a number.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/bound_elements.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

namespace detail {

/// Whether a number of the one type that is bound to an input of the other takes its type: floating inputs
/// round any number, those of 64 bits hold any integer.
constexpr bool number_becomes(element from, element to) {
  if (from == to || from == element::boolean) return false;
  if (to == element::f32 || to == element::f64) return true;
  return to == element::i64 && is_integer(from);
}

/// An unsigned integer that no tensor has for an element, such as a std::size_t.
template <class T>
concept unsigned_size = std::unsigned_integral<T> && !element_type<T>;

/// Owns its elements, as a std::vector does.
template <class R>
concept is_container = requires { typename R::allocator_type; };

}  // namespace detail

/// One name's binding: elements, or a single number (an input's only element, or a run-time extent).
template <name Name>
class binding {
 public:
  static constexpr const name* label = &interned<Name>;

  template <element_type T>
  constexpr explicit binding(T number)
      : is_number_(true), extent_(whole_number(number)), number_(number), converted_(number) {
    elements_.given = true;
    elements_.type = element_of<T>;
    elements_.count = 1;  // as a vector of one element: the input's shape says of how many axes
  }
  constexpr explicit binding(const bound_elements& elements) : elements_(elements) {}

  /// A number that outlives the binding, such as a struct's member.
  template <element_type T>
  static binding to_lasting(const T& number) {
    binding b(number);
    b.elements_.data = reinterpret_cast<const std::byte*>(&number);
    return b;
  }
  /// A size that outlives the binding: a run-time extent, or, if it has 64 bits, the element of an input of
  /// std::int64_t.
  template <detail::unsigned_size T>
  static binding to_lasting(const T& number) {
    binding b(signed_size(number));
    b.elements_.data = reinterpret_cast<const std::byte*>(&number);
    return b;
  }
  /// An unsigned number as a signed one. Throws an error where that is too small.
  template <std::unsigned_integral T>
  static constexpr std::int64_t signed_size(T number) {
    if (std::uint64_t{number} > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      throw_error(
          {"\"", Name.view(), "\" is bound to ", number, ", which is more than a std::int64_t holds"});
    return static_cast<std::int64_t>(number);
  }

  constexpr bool is_number() const { return is_number_; }
  /// The number, as a run-time extent. Throws an error where it is none.
  constexpr std::int64_t extent() const {
    if (!is_number_)
      throw_error({"the run-time extent \"", Name.view(), "\" is bound to elements; it is a whole number"});
    if (extent_ == no_whole_number)
      throw_error({"the run-time extent \"", Name.view(), "\" is bound to ", fraction(),
                   "; it must be a whole number below 2^48"});
    return extent_;
  }
  /// What is bound, but for where it is: data() says that.
  constexpr const bound_elements& elements() const { return elements_; }
  /// Where it is; a number is in this binding.
  const std::byte* data() const {
    const bool is_here = elements_.data == nullptr && is_number_;
    return is_here ? reinterpret_cast<const std::byte*>(&number_) : elements_.data;
  }
  /// Sets `e` to what is bound; where it is a number, it is this binding's.
  void write_to(bound_elements& e) const {
    e = elements_;
    e.data = data();
  }
  /// The same for an input of the type, which a number takes where it may.
  template <element Type>
  void write_to(bound_elements& e) const {
    write_to(e);
    if (!is_number_ || elements_.data != nullptr || !detail::number_becomes(e.type, Type)) return;
    e.type = Type;
    if constexpr (Type == element::f32) e.data = reinterpret_cast<const std::byte*>(&converted_.all.f32);
    if constexpr (Type == element::f64) e.data = reinterpret_cast<const std::byte*>(&converted_.all.f64);
    if constexpr (Type == element::i64) e.data = reinterpret_cast<const std::byte*>(&converted_.all.i64);
  }

 private:
  bound_elements elements_;
  bool is_number_ = false;
  std::int64_t extent_ = 0;
  static constexpr std::int64_t no_whole_number = std::numeric_limits<std::int64_t>::min();

  template <class T>
  static constexpr std::int64_t whole_number(T number) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<std::int64_t>(number);
    } else {
      const auto x = static_cast<double>(number);
      constexpr double most = 1LL << 48;
      if (!(x > -most && x < most) || static_cast<double>(static_cast<std::int64_t>(x)) != x)
        return no_whole_number;
      return static_cast<std::int64_t>(x);
    }
  }
  // What is no whole number is one of these.
  double fraction() const {
    switch (elements_.type) {
      case element::f64:
        return number_.f64;
      case element::f16:
        return static_cast<float>(number_.half);
      case element::bf16:
        return static_cast<float>(number_.brain);
      case element::f32:
        return number_.f32;
      case element::i32:
      case element::i64:
      case element::u8:
      case element::boolean:
      case element::number:
      case element::i8:
      case element::i16:
      case element::u32:
        break;
    }
    return 0;
  }

  union any_number {
    constexpr any_number() : i64(0) {}
    constexpr any_number(float x) : f32(x) {}
    constexpr any_number(double x) : f64(x) {}
    constexpr any_number(bool x) : boolean(x) {}
    constexpr any_number(f16 x) : half(x) {}
    constexpr any_number(bf16 x) : brain(x) {}
    constexpr any_number(unsigned char x) : u8(x) {}
    constexpr any_number(std::uint32_t x) : u32(x) {}
    template <std::signed_integral T>
    constexpr any_number(T x) {
      if constexpr (sizeof(T) == 1) {
        i8 = static_cast<std::int8_t>(x);
      } else if constexpr (sizeof(T) == 2) {
        i16 = static_cast<std::int16_t>(x);
      } else if constexpr (sizeof(T) == 4) {
        i32 = static_cast<std::int32_t>(x);
      } else {
        i64 = static_cast<std::int64_t>(x);
      }
    }
    float f32;
    double f64;
    f16 half;
    bf16 brain;
    std::int8_t i8;
    std::int16_t i16;
    std::int32_t i32;
    std::int64_t i64;
    unsigned char u8;
    std::uint32_t u32;
    bool boolean;
  } number_;

  // The number in the types that it may take.
  union converted_number {
    constexpr converted_number() : none(0) {}
    template <class T>
    constexpr explicit converted_number(T x) : all{as<float>(x), as<double>(x), as<std::int64_t>(x)} {}
    template <class To, class T>
    static constexpr To as(T x) {
      if constexpr (is_16_bit<T>)
        return as<To>(static_cast<float>(x));
      else if constexpr (std::is_floating_point_v<To> || std::is_integral_v<T>)
        return static_cast<To>(x);
      else
        return To(0);
    }
    char none;
    struct {
      float f32;
      double f64;
      std::int64_t i64;
    } all;
  } converted_;
};

/// A binding whose elements' type is known while compiling, and where Array is not void how many there are:
/// of an array, or as constants of a span.
template <name Name, element Type, class Array = void>
class typed_binding : public binding<Name> {
 public:
  using binding<Name>::binding;
};
/// A binding of a number of such a type.
template <name Name, element Type>
class number_binding : public typed_binding<Name, Type> {
 public:
  using typed_binding<Name, Type>::typed_binding;
};

template <class T>
inline constexpr bool is_binding = false;
template <name Name>
inline constexpr bool is_binding<binding<Name>> = true;
template <name Name, element Type, class Array>
inline constexpr bool is_binding<typed_binding<Name, Type, Array>> = true;
template <name Name, element Type>
inline constexpr bool is_binding<number_binding<Name, Type>> = true;

}  // namespace tapeless
