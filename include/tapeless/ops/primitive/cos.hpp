// SPDX-License-Identifier: BSL-1.0
// cos(x): the cosine.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/primitive/sin.hpp>

namespace tapeless {

struct cos_rule : pointwise_rule<cos_rule, 1> {
  static constexpr std::string_view name = "cos";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::cos;
    return cos(x);
  }
  static constexpr value cotangent(auto g, auto x, auto) { return -(g * sin(x)); }
};

/// cos(x), x in radians, element by element.
constexpr value cos(is_value auto x) { return make<cos_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto cos(expression_operand auto x) {
  return make<cos_rule>(x);
}

}  // namespace tapeless
