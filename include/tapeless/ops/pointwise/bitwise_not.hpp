// SPDX-License-Identifier: BSL-1.0
// bitwise_not(x): the bits that x has not.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct bitwise_not_operation : composed_operation<bitwise_not_operation, 1> {
  static constexpr std::string_view name = "bitwise_not";
  static constexpr element_kind takes = element_kind::integers;
  static constexpr value forward(value x) {
    const detail::whole_range range = detail::range_of(x.type());
    return static_cast<double>(range.lowest + range.largest) - x;
  }
};

/// ~x, element by element; logical_not(x) is that of booleans.
/// @formula y = ~x; without a derivative
/// @shapes integers [..] -> [..]
/// @errors element_kinds
/// @torch torch.bitwise_not
/// @jax jnp.bitwise_not
/// @given x = int32 [12, -1]
/// @gives tl::bitwise_not(x) = [-13, 0]
constexpr value bitwise_not(is_value auto x) { return make<bitwise_not_operation>(x); }
TAPELESS_FACTORY auto bitwise_not(expression_operand auto x) { return make<bitwise_not_operation>(x); }

}  // namespace tapeless
