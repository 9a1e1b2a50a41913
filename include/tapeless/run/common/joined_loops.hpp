// SPDX-License-Identifier: BSL-1.0
// The loops of a fused kernel, once run-time extents are known.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/common/launch_arguments.hpp>

namespace tapeless {

namespace detail {

constexpr bool can_join(const fused_kernel_arguments& a, int d) {
  if ((a.reduced >> d & 1u) != (a.reduced >> (d + 1) & 1u)) return false;
  if ((a.ordered >> d & 1u) != (a.ordered >> (d + 1) & 1u)) return false;
  for (int k = 0; k < a.operand_count; ++k)
    if (a.operands[k].strides[d] != a.operands[k].strides[d + 1] * a.extents[d + 1]) return false;
  return true;
}

constexpr void remove_loop(fused_kernel_arguments& a, fused_kernel_operand* operands, int axis) {
  for (int d = axis; d + 1 < a.rank; ++d) a.extents[d] = a.extents[d + 1];
  for (int k = 0; k < a.operand_count; ++k)
    for (int d = axis; d + 1 < a.rank; ++d) operands[k].strides[d] = operands[k].strides[d + 1];
  const unsigned below = (1u << axis) - 1;
  a.reduced = (a.reduced & below) | ((a.reduced >> 1) & ~below);
  a.ordered = (a.ordered & below) | ((a.ordered >> 1) & ~below);
  --a.rank;
}

}  // namespace detail

/// Drops loops of extent 1 but for the innermost one, and joins neighbours that all operands step through
/// alike, as the plan does with the extents that it knows: so a model with run-time extents has the loops,
/// and the order of sums, that it has with these as constants. It has not where the innermost loop is of a
/// run-time extent that is 1, by which kernels are told apart.
TAPELESS_COLD constexpr void join_loops(fused_kernel_arguments& arguments, fused_kernel_operand* operands) {
  for (int d = arguments.rank - 2; d >= 0; --d) {
    if (arguments.extents[d] == 1) {
      detail::remove_loop(arguments, operands, d);
    } else if (detail::can_join(arguments, d)) {
      const std::int64_t joined = arguments.extents[d] * arguments.extents[d + 1];
      detail::remove_loop(arguments, operands, d);
      arguments.extents[d] = joined;
    }
  }
}

}  // namespace tapeless
