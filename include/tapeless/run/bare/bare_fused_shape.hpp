// SPDX-License-Identifier: BSL-1.0
// The shape of a fused kernel: what its code depends on beside its kernel key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/bare/bare_operands.hpp>
#include <tapeless/run/common/kernel_key.hpp>

namespace tapeless::bare_kernels {

template <int Loads, int Stores>
struct bare_fused_shape {
  int rank;
  bool accumulates;
  unsigned reduced, ordered;
  std::int64_t extents[max_rank];
  access stores[Stores], loads[Loads + 1];  // of an index the offset is its own
  double numbers[Loads + 1];
};

namespace detail {

/// Which buffers have a number that is computed from the rule's numbers alone.
template <class GraphBuilder>
constexpr auto find_rule_numbers() {
  constexpr auto& plan = plan_of<GraphBuilder>;
  std::array<bool, plan.buffers.size() + 1> all{};
  const auto place_of_node = [](int node) { return plan.place[static_cast<std::size_t>(node)]; };
  for (const planned_fused_kernel& p : plan.fused_kernels) {
    bool is_of_rule = p.rank == 0 && p.loads > 0;
    for (int k = 0; k < p.loads; ++k) {
      const planned_load& l = plan.loads[static_cast<std::size_t>(p.first_load + k)];
      is_of_rule &= l.kind == lane::number ||
                    (l.kind != lane::index && place_of_node(l.place.base).kind == storage::hyperparameter);
    }
    for (int k = 0; is_of_rule && k < p.stores; ++k) {
      const placement to = place_of_node(plan.stores[static_cast<std::size_t>(p.first_store + k)].place.base);
      if (to.kind == storage::arena) all[static_cast<std::size_t>(to.index)] = true;
    }
  }
  return all;
}
template <class GraphBuilder>
inline constexpr auto rule_numbers_of = find_rule_numbers<GraphBuilder>();

}  // namespace detail

/// The shape and the operands of fused kernel number Kernel. The rule's numbers are one operand, and so are
/// those that are computed from them.
template <class GraphBuilder, class Layout, int Kernel>
constexpr auto fused_parts_of() {
  constexpr auto& plan = plan_of<GraphBuilder>;
  constexpr planned_fused_kernel p = plan.fused_kernels[Kernel];
  bare_parts<bare_fused_shape<p.loads, p.stores>, p.loads + p.stores> parts{
      {p.rank, p.accumulates, p.reduced, p.ordered, {}, {}, {}, {}}};
  for (int d = 0; d < p.rank; ++d) parts.shape.extents[d] = p.extents[d];
  const auto take = [&](access a, element type) {
    const placement place = plan.place[static_cast<std::size_t>(a.base)];
    if (place.kind == storage::hyperparameter) {
      a.offset += place.index;
    } else if (place.kind == storage::arena &&
               detail::rule_numbers_of<GraphBuilder>[static_cast<std::size_t>(place.index)]) {
      constexpr auto offset = &detail::offset_of<GraphBuilder, Layout, storage::arena>;
      a.offset += (offset(place.index) - offset(0)) / static_cast<std::ptrdiff_t>(size_of(type));
    } else {
      return parts.operands.without_place(a, type, place);
    }
    return parts.operands.without_place(a, type, {place.kind, 0});
  };
  for (int k = 0; k < p.stores; ++k) {
    const planned_store& s = plan.stores[static_cast<std::size_t>(p.first_store + k)];
    parts.shape.stores[k] = take(s.place, s.type);
  }
  for (int k = 0; k < p.loads; ++k) {
    const planned_load& l = plan.loads[static_cast<std::size_t>(p.first_load + k)];
    if (l.kind == lane::number) {
      parts.shape.numbers[k] = l.number;
    } else if (l.kind == lane::index) {
      parts.shape.loads[k] = l.place;
      parts.shape.loads[k].base = 0;
    } else {
      parts.shape.loads[k] = take(l.place, l.type);
    }
  }
  return parts;
}

}  // namespace tapeless::bare_kernels
