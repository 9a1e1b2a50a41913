// SPDX-License-Identifier: BSL-1.0
// Operators that expressions do not have, and say so: those that change a variable, and those of integers.
// Without the latter, expressions being taken for numbers (expr/misuse.hpp), compilers list the operators of
// all integers.
#pragma once

#include <concepts>

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
