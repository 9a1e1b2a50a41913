// SPDX-License-Identifier: BSL-1.0
// A number whose functions are the library's own: what operations compute with where there is no C library.
#pragma once

#include <type_traits>

namespace tapeless::bare_kernels {

/// The functions here, beside which those of numbers are found.
struct own_functions {
  template <class T>
  static constexpr T product(T a, T b) {
    return a * b;
  }
};

/// A float or double. Functions of it are found beside it, or beside Functions, not in the standard library.
template <class T, class Functions = own_functions>
struct bare_number {
  T x;

  bare_number() = default;
  template <class Number>
    requires std::is_arithmetic_v<Number>
  explicit constexpr bare_number(Number value) : x(static_cast<T>(value)) {}

  friend constexpr bare_number operator+(bare_number a, bare_number b) { return bare_number(a.x + b.x); }
  friend constexpr bare_number operator-(bare_number a, bare_number b) { return bare_number(a.x - b.x); }
  friend constexpr bare_number operator*(bare_number a, bare_number b) {
    return bare_number(Functions::product(a.x, b.x));
  }
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
template <class T, class Functions>
T element_number(bare_number<T, Functions>);

/// What a register gets of what an operation returns.
template <class T, class Functions>
constexpr T from_operand(bare_number<T, Functions> result) {
  return result.x;
}
template <class T>
  requires std::is_arithmetic_v<T>
constexpr T from_operand(T result) {
  return result;
}

}  // namespace tapeless::bare_kernels
