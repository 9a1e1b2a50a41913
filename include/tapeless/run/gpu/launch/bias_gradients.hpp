// SPDX-License-Identifier: BSL-1.0
// Finds matrix products that can compute a bias gradient in their epilogue: the product is the gradient of a
// weight, and the library sums the rows of one operand while it reads them. Ordinary constexpr code over a
// plan's tables.
#pragma once

#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/run/gpu/launch/epilogues.hpp>
#include <tapeless/run/gpu/launch/launch_tables.hpp>

namespace tapeless::thrust_kernels {

/// The operand of a product that is summed up along what is multiplied away: [m, k] to [m], or [k, n] to [n].
enum class summed : std::uint8_t { nothing, left, right };

/// The fused kernel that a product takes along. Its sums are stored while the product runs, not where the
/// plan has the fused kernel.
struct bias_gradient {
  summed side = summed::nothing;
  int fused_kernel = -1;
};

namespace detail {

/// What a fused kernel does that is nothing but sums along one of two axes.
struct plain_sum {
  bool exists = false;
  const planned_load* of = nullptr;
  int kept = 0, reduced = 0;  // axes
};

constexpr plain_sum plain_sum_of(const launch_tables& t, const planned_fused_kernel& p) {
  if (p.rank != 2 || p.loads != 1 || p.instructions != 0 || p.stores != 1 || p.accumulates ||
      (p.reduced != 1 && p.reduced != 2))
    return {};
  const planned_load& load = t.loads[p.first_load];
  const planned_store& store = t.stores[p.first_store];
  const int kept = p.reduced == 1 ? 1 : 0;
  const bool is_sum = store.reduction == &sum_operation::op && store.type == load.type;
  if (!is_sum || load.kind == lane::number || load.kind == lane::index || store.place.strides[kept] != 1 ||
      store.place.iteration_stride != 0 || t.place[store.place.base].kind != storage::arena)
    return {};
  return {true, &load, kept, 1 - kept};
}

/// Whether the sums are those of the operand, whose axes these are.
constexpr bool sums_operand(const planned_fused_kernel& p, const plain_sum& sum, const access& operand,
                            int kept, std::int64_t kept_extent, int reduced, std::int64_t reduced_extent) {
  const access& a = sum.of->place;
  return a.base == operand.base && a.offset == operand.offset &&
         a.iteration_stride == operand.iteration_stride && p.extents[sum.kept] == kept_extent &&
         a.strides[sum.kept] == operand.strides[kept] && p.extents[sum.reduced] == reduced_extent &&
         a.strides[sum.reduced] == operand.strides[reduced];
}

constexpr summed side_of(const planned_product& q, const planned_fused_kernel& p, const plain_sum& sum) {
  if (q.batch_rank != 0 || q.type != sum.of->type || !computes_in_float(q.type)) return summed::nothing;
  if (sums_operand(p, sum, q.a, 0, q.m, 1, q.k)) return summed::left;
  if (sums_operand(p, sum, q.b, 1, q.n, 0, q.k)) return summed::right;
  return summed::nothing;
}

// Neither reads what the fused kernel stores, nor writes what it reads.
constexpr bool may_come_first(const launch_tables& t, int command, const planned_fused_kernel& p) {
  if (t.is_fused_kernel(command))
    return t.all_shared(p, t.fused_kernel_at(command), [](const access&, const access&) { return false; });
  if (!t.is_product(command)) return false;
  const planned_product& q = t.products[t.commands[command].index];
  const access &source = t.operand(p, 0), &target = t.operand(p, 1);
  return !t.same_memory(target, q.a) && !t.same_memory(target, q.b) && !t.same_memory(target, q.c) &&
         !t.same_memory(source, q.c);
}

struct taking_product {
  int product = -1;
  summed side = summed::nothing;
};

/// The product behind the fused kernel at `command` that can take it along, of those that take nothing along
/// yet.
constexpr taking_product product_that_takes(const launch_tables& t, int command, const bias_gradient* taken) {
  const planned_fused_kernel& p = t.fused_kernel_at(command);
  const plain_sum sum = plain_sum_of(t, p);
  if (!sum.exists || t.place[sum.of->place.base].kind != storage::arena) return {};
  // both must have their memory until then
  const int end = t.buffers[t.place[sum.of->place.base].index].last;
  const int end_of_sums = t.buffers[t.place[t.operand(p, 1).base].index].last;
  for (int s = command + 1; s <= end && s <= end_of_sums && s < t.command_count; ++s) {
    if (t.is_product(s)) {
      const int i = t.commands[s].index;
      const summed side = side_of(t.products[i], p, sum);
      if (side != summed::nothing && taken[i].fused_kernel < 0 && !epilogue_of(t, s).exists) return {i, side};
    }
    if (!may_come_first(t, s, p)) return {};
  }
  return {};
}

}  // namespace detail

}  // namespace tapeless::thrust_kernels
