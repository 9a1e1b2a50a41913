// SPDX-License-Identifier: BSL-1.0
// sqrt(x): the square root.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>

namespace tapeless {

struct sqrt_rule : pointwise_rule<sqrt_rule, 1> {
  static constexpr std::string_view name = "sqrt";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::sqrt;
    return sqrt(x);
  }
  static constexpr value cotangent(auto g, auto, auto y) { return g / (2.0 * y); }
};

/// x^(1/2); NaN below 0, element by element.
constexpr value sqrt(is_value auto x) { return make<sqrt_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto sqrt(expression_operand auto x) {
  return make<sqrt_rule>(x);
}

}  // namespace tapeless
