// SPDX-License-Identifier: BSL-1.0
// relu(x): the rectifier (Nair and Hinton, 2010); its derivative at 0 is 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>
#include <tapeless/ops/primitive/greater.hpp>
#include <tapeless/ops/primitive/where.hpp>

namespace tapeless {

struct relu_rule : pointwise_rule<relu_rule, 1> {
  static constexpr std::string_view name = "relu";
  static constexpr auto apply(auto x) { return positive_part(x); }
  static constexpr value cotangent(auto g, auto, auto y) { return where(y > 0.0, g, 0.0); }
};

/// max(x, 0), element by element.
constexpr value relu(is_value auto x) { return make<relu_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto relu(expression_operand auto x) {
  return make<relu_rule>(x);
}

}  // namespace tapeless
