// SPDX-License-Identifier: BSL-1.0
// A number whose functions are the library's own: what operations compute with where there is no C library.
#pragma once

#include <type_traits>

namespace tapeless::bare_kernels {

/// A float or double. Functions of it are found beside it, not in the standard library.
template <class T>
struct bare_number {
  T x;

  bare_number() = default;
  template <class Number>
    requires std::is_arithmetic_v<Number>
  explicit constexpr bare_number(Number value) : x(static_cast<T>(value)) {}

  friend constexpr bare_number operator+(bare_number a, bare_number b) { return bare_number(a.x + b.x); }
  friend constexpr bare_number operator-(bare_number a, bare_number b) { return bare_number(a.x - b.x); }
  friend constexpr bare_number operator*(bare_number a, bare_number b) { return bare_number(a.x * b.x); }
  friend constexpr bare_number operator/(bare_number a, bare_number b) { return bare_number(a.x / b.x); }
  friend constexpr bare_number operator-(bare_number a) { return bare_number(-a.x); }
  friend constexpr bool operator<(bare_number a, bare_number b) { return a.x < b.x; }
  friend constexpr bool operator<=(bare_number a, bare_number b) { return a.x <= b.x; }
  friend constexpr bool operator>(bare_number a, bare_number b) { return a.x > b.x; }
  friend constexpr bool operator>=(bare_number a, bare_number b) { return a.x >= b.x; }
  friend constexpr bool operator==(bare_number a, bare_number b) { return a.x == b.x; }
  friend constexpr bool operator!=(bare_number a, bare_number b) { return a.x != b.x; }
};

/// The type of its numbers: only named, never called.
template <class T>
T element_number(bare_number<T>);

/// What operations are given, of a value in a register: floating numbers in their own type, others as they
/// are.
template <class T>
constexpr auto to_operand(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return bare_number<T>(value);
  } else {
    return value;
  }
}
/// And what a register gets of what they return.
template <class T>
constexpr T from_operand(bare_number<T> result) {
  return result.x;
}
template <class T>
  requires std::is_arithmetic_v<T>
constexpr T from_operand(T result) {
  return result;
}

}  // namespace tapeless::bare_kernels
