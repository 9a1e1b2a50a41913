// SPDX-License-Identifier: BSL-1.0
// abs(x): the absolute value; its derivative at 0 is 0.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/primitive/sign.hpp>

namespace tapeless {

struct abs_rule : pointwise_rule<abs_rule, 1> {
  static constexpr std::string_view name = "abs";
  static constexpr auto apply(auto x) {
    using std::abs;
    return abs(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g * sign(x); }
};

/// |x|, element by element.
constexpr value abs(is_value auto x) { return make<abs_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto abs(expression_operand auto x) {
  return make<abs_rule>(x);
}

}  // namespace tapeless
