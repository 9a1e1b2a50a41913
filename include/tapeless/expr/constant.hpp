// SPDX-License-Identifier: BSL-1.0
// constant<V>, 2_c, 0.5_c: numbers in a model. They take the element type of the tensor that they meet.
#pragma once

#include <bit>
#include <cstdint>

#include <tapeless/expr/decimal_number.hpp>
#include <tapeless/expr/make.hpp>

namespace tapeless {

template <auto V>
struct constant_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return make_constant(g, static_cast<double>(V)); }
};

namespace detail {

/// What is no number, and says so.
template <class>
struct constant_of_array {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) {
    return make_constant(g, 0).fail(
        text() << "constant takes a number; an array is how a parameter starts, which no rule changes behind "
                  "stop_gradient: tl::stop_gradient(tl::param<\"mel\", float, 2, 3>(tl::values<table>()))");
  }
};

}  // namespace detail

/// The number V, e.g. constant<std::numbers::pi>.
template <auto V>
inline constexpr leaf<constant_statement<V>> constant{};
template <auto V>
  requires(!requires { static_cast<double>(V); })
inline constexpr auto constant<V> = make_leaf<detail::constant_of_array<decltype(V)>>();

namespace detail {

/// Whether a literal's base is ten; 0x10, 0b10 and 010 have others.
template <char... C>
constexpr bool is_decimal() {
  const char characters[] = {C...};
  bool whole = true;
  for (char c : characters) {
    if (c == 'x' || c == 'X' || c == 'b' || c == 'B') return false;
    if (c == '.' || c == 'e' || c == 'E') whole = false;
  }
  return sizeof...(C) == 1 || characters[0] != '0' || !whole;
}

template <char... C>
constexpr double number_of() {
  const char characters[] = {C...};
  return decimal_number(characters, sizeof...(C));
}

}  // namespace detail

namespace literals {

/// 2_c, 0.5_c, 1e-3_c: the number as a constant of a model, with the bits of the literal 2., 0.5, 1e-3.
template <char... C>
constexpr auto operator""_c() {
  static_assert(detail::is_decimal<C...>(),
                "tapeless: _c stands behind a decimal number: 16_c, not 0x10_c nor 020_c");
  constexpr double number = detail::number_of<C...>();
  static_assert(std::bit_cast<std::uint64_t>(number) < 0x7ff0000000000000u,
                "tapeless: _c stands behind a number that a double holds, up to 1.7976931348623157e308");
  return constant<number>;
}

}  // namespace literals

}  // namespace tapeless
