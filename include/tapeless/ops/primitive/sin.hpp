// SPDX-License-Identifier: BSL-1.0
// sin(x): the sine.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/primitive/cos.hpp>

namespace tapeless {

struct sin_rule : pointwise_rule<sin_rule, 1> {
  static constexpr std::string_view name = "sin";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::sin;
    return sin(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * cos(x); }
};

/// sin(x), x in radians, element by element.
constexpr value sin(is_value auto x) { return make<sin_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto sin(expression_operand auto x) {
  return make<sin_rule>(x);
}

}  // namespace tapeless
