// SPDX-License-Identifier: BSL-1.0
// constant<V>, 2_c, 0.5_c: numbers in a model. They take the element type of the tensor that they meet.
#pragma once

#include <tapeless/expr/make.hpp>

namespace tapeless {

template <auto V>
struct constant_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return make_constant(g, static_cast<double>(V)); }
};

/// The number V, e.g. constant<std::numbers::pi>.
template <auto V>
inline constexpr leaf<constant_statement<V>> constant{};

namespace detail {

/// The value of a decimal literal's characters: digits, at most one point, an exponent, separators.
template <char... C>
constexpr double number_of() {
  const char characters[] = {C...};
  double digits = 0;
  int exponent = 0, written = 0, sign = 1;
  bool after_point = false, in_exponent = false;
  for (char c : characters) {
    if (c == '\'') continue;
    if (c == '.') {
      after_point = true;
    } else if (c == 'e' || c == 'E') {
      in_exponent = true;
    } else if (c == '-' || c == '+') {
      sign = c == '-' ? -1 : 1;
    } else if (in_exponent) {
      written = 10 * written + (c - '0');
    } else {
      digits = 10 * digits + (c - '0');
      exponent -= after_point ? 1 : 0;
    }
  }
  exponent += sign * written;
  double power = 1;
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) power *= 10;
  return exponent < 0 ? digits / power : digits * power;
}

}  // namespace detail

namespace literals {

/// 2_c, 0.5_c, 1e-3_c: the number as a constant of a model.
template <char... C>
constexpr auto operator""_c() {
  static_assert(((C != 'x' && C != 'X' && C != 'b' && C != 'B') && ...),
                "tapeless: _c stands behind a decimal number: 16_c, not 0x10_c");
  return constant<detail::number_of<C...>()>;
}

}  // namespace literals

}  // namespace tapeless
