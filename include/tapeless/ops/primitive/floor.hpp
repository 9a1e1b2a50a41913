// SPDX-License-Identifier: BSL-1.0
// floor(x): the largest integer that is not above x; its derivative is 0.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/pointwise.hpp>

namespace tapeless {

struct floor_rule : pointwise_rule<floor_rule, 1> {
  static constexpr std::string_view name = "floor";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::floor;
    return floor(x);
  }
  static constexpr value cotangent(auto, auto, auto) { return value{}; }
};

/// floor(x), element by element.
constexpr value floor(is_value auto x) { return make<floor_rule>(x); }
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto floor(expression_operand auto x) {
  return make<floor_rule>(x);
}

}  // namespace tapeless
