// SPDX-License-Identifier: BSL-1.0
// Operators that change a variable: an expression cannot be changed, and they say so.
#pragma once

#include <tapeless/expr/statement.hpp>

namespace tapeless {

namespace detail {

template <class X>
constexpr X& refuse_change(X& x) {
  static_assert(compile_error<misuse<typename X::chain>::assigned>::reported);
  return x;
}

}  // namespace detail

template <expression X>
constexpr X& operator+=(X& x, const auto&) {
  return detail::refuse_change(x);
}
template <expression X>
constexpr X& operator-=(X& x, const auto&) {
  return detail::refuse_change(x);
}
template <expression X>
constexpr X& operator*=(X& x, const auto&) {
  return detail::refuse_change(x);
}
template <expression X>
constexpr X& operator/=(X& x, const auto&) {
  return detail::refuse_change(x);
}
template <expression X>
constexpr X& operator++(X& x) {
  return detail::refuse_change(x);
}
template <expression X>
constexpr X& operator--(X& x) {
  return detail::refuse_change(x);
}

}  // namespace tapeless
