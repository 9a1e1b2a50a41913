// SPDX-License-Identifier: BSL-1.0
// Which fused kernels do the same to different memory, such as the updates of all parameters or the sums of
// squares of all gradients. Ordinary constexpr code over a plan's tables.
#pragma once

#include <tapeless/run/gpu/launch/launch_tables.hpp>

namespace tapeless::thrust_kernels {

inline constexpr int most_in_batch = 24;

namespace detail {

constexpr bool same_operations(const launch_tables& t, const planned_fused_kernel& p,
                               const planned_fused_kernel& q) {
  if (p.loads != q.loads || p.instructions != q.instructions || p.stores != q.stores || p.rank > 1 ||
      q.rank > 1 || p.accumulates || q.accumulates)
    return false;
  if (t.reduces(p) != t.reduces(q) || (t.reduces(p) && (p.reduced != 1 || q.reduced != 1))) return false;
  for (int k = 0; k < p.loads; ++k) {
    const planned_load &a = t.loads[p.first_load + k], &b = t.loads[q.first_load + k];
    if (a.kind != b.kind || a.type != b.type) return false;
  }
  for (int k = 0; k < p.instructions; ++k) {
    const planned_instruction &a = t.instructions[p.first_instruction + k],
                              &b = t.instructions[q.first_instruction + k];
    if (a.op != b.op || a.type != b.type || a.operand_count != b.operand_count) return false;
    for (int i = 0; i < a.operand_count; ++i)
      if (a.operands[i] != b.operands[i]) return false;
  }
  for (int k = 0; k < p.stores; ++k) {
    const planned_store &a = t.stores[p.first_store + k], &b = t.stores[q.first_store + k];
    if (a.kind != b.kind || a.type != b.type || a.source != b.source || a.reduction != b.reduction)
      return false;
  }
  return true;
}

}  // namespace detail

/// Whether the fused kernel at `command` does what those from command `first` on do, and none of them reads
/// what another one writes.
constexpr bool joins_batch(const launch_tables& t, int first, int command) {
  const planned_fused_kernel& p = t.fused_kernel_at(first);
  const planned_fused_kernel& q = t.fused_kernel_at(command);
  if (!detail::same_operations(t, p, q)) return false;
  if ((command - first + 1) * t.parameter_bytes(p, 1) > most_parameter_bytes) return false;
  for (int s = first; s < command; ++s)
    if (!t.all_shared(t.fused_kernel_at(s), q, [](const access&, const access&) { return false; }))
      return false;
  return true;
}

}  // namespace tapeless::thrust_kernels
