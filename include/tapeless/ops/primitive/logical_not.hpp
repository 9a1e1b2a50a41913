// SPDX-License-Identifier: BSL-1.0
// logical_not(x): the negation of a condition.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>

namespace tapeless {

struct logical_not_rule : pointwise_rule<logical_not_rule, 1> {
  static constexpr std::string_view name = "logical_not";
  static constexpr element_kind takes = element_kind::booleans;
  static constexpr auto apply(auto x) { return !x; }
  static constexpr value cotangent(auto, auto, auto) { return value{}; }
};

/// not x, element by element.
constexpr value logical_not(is_value auto x) { return make<logical_not_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto logical_not(expression_operand auto x) {
  return make<logical_not_rule>(x);
}
constexpr value operator!(is_value auto x) { return make<logical_not_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto operator!(expression_operand auto x) {
  return make<logical_not_rule>(x);
}

}  // namespace tapeless
