// SPDX-License-Identifier: BSL-1.0
// log1p(x): log(1 + x), exact also near 0.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>

namespace tapeless {

struct log1p_rule : pointwise_rule<log1p_rule, 1> {
  static constexpr std::string_view name = "log1p";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::log1p;
    return log1p(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return g / (1.0 + x); }
};

/// log(1 + x), element by element.
constexpr value log1p(is_value auto x) { return make<log1p_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto log1p(expression_operand auto x) {
  return make<log1p_rule>(x);
}

}  // namespace tapeless
