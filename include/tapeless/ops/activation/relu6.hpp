// SPDX-License-Identifier: BSL-1.0
// relu6(x): the rectifier that ends at 6 (Krizhevsky, 2010).
#pragma once

#include <tapeless/ops/activation/hardtanh.hpp>

namespace tapeless {

struct relu6_operation {
  static constexpr std::string_view name = "relu6";
  static constexpr int arity = 1;
  static constexpr value build(value x) { return hardtanh(x, 0.0, 6.0); }
};

/// min(max(x, 0), 6), element by element; the derivative at 0 and 6 is 0.
/// @formula y = min(max(x, 0), 6)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.relu6
/// @jax jax.nn.relu6
/// @given x = [-2, 3, 7]
/// @gives tl::relu6(x) = [0, 3, 6]
constexpr value relu6(is_value auto x) { return make<relu6_operation>(x); }
TAPELESS_FACTORY auto relu6(expression_operand auto x) { return make<relu6_operation>(x); }

}  // namespace tapeless
