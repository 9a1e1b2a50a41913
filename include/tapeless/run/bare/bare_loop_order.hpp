// SPDX-License-Identifier: BSL-1.0
// In which order a fused kernel's loops are run: what is reduced comes innermost.
#pragma once

#include <tapeless/plan/plan.hpp>

namespace tapeless::bare_kernels::detail {

/// The loops of a fused kernel in the order in which they are run.
struct loop_order {
  int axis[max_rank] = {};
  int kept = 0;  // so many come before those that are reduced
};
template <class Shape>
constexpr loop_order order_of(const Shape& p) {
  loop_order order;
  const auto is_reduced = [&](int d) { return !p.accumulates && (p.reduced >> d & 1u) != 0; };
  for (int d = 0; d < p.rank; ++d)
    if (!is_reduced(d)) order.axis[order.kept++] = d;
  int next = order.kept;
  for (int d = 0; d < p.rank; ++d)
    if (is_reduced(d)) order.axis[next++] = d;
  return order;
}

}  // namespace tapeless::bare_kernels::detail
