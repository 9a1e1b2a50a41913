// SPDX-License-Identifier: BSL-1.0
// exp(x): the exponential.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>

namespace tapeless {

struct exp_rule : pointwise_rule<exp_rule, 1> {
  static constexpr std::string_view name = "exp";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::exp;
    return exp(x);
  }
  static constexpr value cotangent(auto g, auto, auto y) { return g * y; }
};

/// e^x, element by element.
constexpr value exp(is_value auto x) { return make<exp_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto exp(expression_operand auto x) {
  return make<exp_rule>(x);
}

}  // namespace tapeless
