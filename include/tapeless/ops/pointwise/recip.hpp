// SPDX-License-Identifier: BSL-1.0
// recip(x): the inverse.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct recip_operation {
  static constexpr std::string_view name = "recip";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return 1.0 / x; }
};

/// 1/x, element by element.
constexpr value recip(is_value auto x) { return make<recip_operation>(x); }
TAPELESS_FACTORY auto recip(expression_operand auto x) { return make<recip_operation>(x); }

}  // namespace tapeless
