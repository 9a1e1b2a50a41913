// SPDX-License-Identifier: BSL-1.0
// Operators that expressions do not have, and say so: those that change a variable, those of integers, and
// brackets that take a value apart.
// Without the latter, expressions being taken for numbers (expr/misuse.hpp), compilers list the operators of
// all integers.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include <tapeless/expr/statement.hpp>
#include <tapeless/graph/core/extent.hpp>

namespace tapeless {

namespace detail {

template <class X>
constexpr X& refuse_change(X& x) {
  static_assert(compile_error<misuse<typename X::chain>::assigned>::reported);
  return x;
}

template <class A, class B>
concept expression_among = valid_expression<A> || valid_expression<B>;

template <valid_expression X>
constexpr X refuse_extent(const X& x) {
  static_assert(compile_error<misuse<typename X::chain>::extent_as_number>::reported);
  return x;
}

template <valid_expression X>
constexpr X refuse_operator(const X& x, const auto&...) {
  static_assert(compile_error<misuse<typename X::chain>::without_operator>::reported);
  return x;
}
template <class A, valid_expression X>
  requires(!valid_expression<A>)
constexpr X refuse_operator(const A&, const X& x) {
  return refuse_operator(x);
}

}  // namespace detail

template <valid_expression X, std::same_as<extent> E>
constexpr X operator/(const X& x, const E&) {
  return detail::refuse_extent(x);
}
template <valid_expression X, std::same_as<extent> E>
constexpr X operator*(const X& x, const E&) {
  return detail::refuse_extent(x);
}
template <std::same_as<extent> E, valid_expression X>
constexpr X operator*(const E&, const X& x) {
  return detail::refuse_extent(x);
}

template <valid_expression X>
constexpr X& operator+=(X& x, const auto&) {
  return detail::refuse_change(x);
}
template <valid_expression X>
constexpr X& operator-=(X& x, const auto&) {
  return detail::refuse_change(x);
}
template <valid_expression X>
constexpr X& operator*=(X& x, const auto&) {
  return detail::refuse_change(x);
}
template <valid_expression X>
constexpr X& operator/=(X& x, const auto&) {
  return detail::refuse_change(x);
}
template <valid_expression X>
constexpr X& operator++(X& x) {
  return detail::refuse_change(x);
}
template <valid_expression X>
constexpr X& operator--(X& x) {
  return detail::refuse_change(x);
}

template <class A, class B>
  requires detail::expression_among<A, B>
constexpr auto operator%(const A& a, const B& b) {
  return detail::refuse_operator(a, b);
}
template <class A, class B>
  requires detail::expression_among<A, B>
constexpr auto operator&(const A& a, const B& b) {
  return detail::refuse_operator(a, b);
}
template <class A, class B>
  requires detail::expression_among<A, B>
constexpr auto operator|(const A& a, const B& b) {
  return detail::refuse_operator(a, b);
}
template <class A, class B>
  requires detail::expression_among<A, B>
constexpr auto operator^(const A& a, const B& b) {
  return detail::refuse_operator(a, b);
}
template <valid_expression X>
constexpr X operator<<(const X& x, const auto&) {
  return detail::refuse_operator(x);
}
template <valid_expression X>
constexpr X operator>>(const X& x, const auto&) {
  return detail::refuse_operator(x);
}
template <valid_expression X>
constexpr X operator~(const X& x) {
  return detail::refuse_operator(x);
}

}  // namespace tapeless

// auto [g] = an expression.
template <class Chain, class... Values>
struct std::tuple_size<tapeless::expr<Chain, Values...>> {
  static constexpr std::size_t value = 1;
  static_assert(tapeless::compile_error<tapeless::misuse<Chain>::taken_apart>::reported);
};
template <class Chain, class First, class Second, class... More>
struct std::tuple_size<tapeless::expr<Chain, First, Second, More...>> {
  static constexpr std::size_t value = 2 + sizeof...(More);
  static_assert(tapeless::compile_error<tapeless::misuse<Chain>::pack_taken_apart>::reported);
};
template <std::size_t I, class Chain, class... Values>
struct std::tuple_element<I, tapeless::expr<Chain, Values...>> {
  using type = tapeless::expr<Chain, Values...>;
};
namespace tapeless {
template <std::size_t, class Chain, class... Values>
constexpr auto get(const expr<Chain, Values...>& x) {
  return x;
}
}  // namespace tapeless
