// SPDX-License-Identifier: BSL-1.0
// The loops of a fused kernel: what its code depends on beside its kernel key.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/bare/bare_locals.hpp>
#include <tapeless/run/bare/bare_operands.hpp>
#include <tapeless/run/common/kernel_key.hpp>

namespace tapeless::bare_kernels {

/// A nest that is open has more places than its extent says, a multiple of these, which a call tells.
inline constexpr int open_places = 16;

template <int Loads, int Stores>
struct bare_loop_nest {
  int rank = 0;
  bool accumulates = false, has_index = false, is_open = false;
  unsigned reduced = 0, ordered = 0;
  std::int64_t extents[max_rank] = {};
  access stores[Stores] = {}, loads[Loads + 1] = {};  // of an index the offset is its own
  std::uint64_t numbers[Loads + 1] = {};              // the bits of doubles
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

/// Whether a buffer of such a number is found from the first buffer's place: they are in one memory.
template <class GraphBuilder, class Layout>
constexpr bool is_by_the_first(std::size_t buffer) {
  if constexpr (requires { typename Layout::of_loop; }) return false;
  return rule_numbers_of<GraphBuilder>[buffer] && is_local<GraphBuilder>[buffer] == is_local<GraphBuilder>[0];
}

}  // namespace detail

/// Takes the places out of a nest that a call can say, and returns how many they are: kernels of one long
/// loop without sums are one function so, whatever their extents.
template <int Loads, int Stores>
constexpr std::ptrdiff_t open(bare_loop_nest<Loads, Stores>& p) {
  if (p.rank != 1 || p.has_index || (p.reduced != 0 && !p.accumulates)) return 0;
  const std::int64_t rest = p.extents[0] % open_places;
  const auto places = static_cast<std::ptrdiff_t>(p.extents[0] - rest);
  p.is_open = places > 0;
  p.extents[0] = rest;
  return places;
}

/// The loops and the operands of fused kernel number Kernel. The rule's numbers are one operand, and so are
/// those that are computed from them. A kernel that is called may have an open nest.
template <class GraphBuilder, class Layout, int Kernel>
constexpr auto fused_parts_of(bool is_called) {
  constexpr auto& plan = plan_of<GraphBuilder>;
  constexpr planned_fused_kernel p = plan.fused_kernels[Kernel];
  bare_parts<bare_loop_nest<p.loads, p.stores>, p.loads + p.stores> parts{
      {p.rank, p.accumulates, false, false, p.reduced, p.ordered}};
  for (int d = 0; d < p.rank; ++d) parts.planned.extents[d] = p.extents[d];
  const auto take = [&](const access& a, element type) {
    placement place = plan.place[static_cast<std::size_t>(a.base)];
    std::ptrdiff_t bytes = 0;
    if (place.kind == storage::hyperparameter) {
      bytes = place.index * static_cast<std::ptrdiff_t>(sizeof(double));
      place.index = 0;
    } else if (place.kind == storage::arena &&
               detail::is_by_the_first<GraphBuilder, Layout>(static_cast<std::size_t>(place.index))) {
      const placement first{storage::arena, 0};
      bytes = detail::offset_of<GraphBuilder, Layout>(place) - detail::offset_of<GraphBuilder, Layout>(first);
      place = first;
    }
    return parts.operands.without_place(a, size_of(type), place, bytes);
  };
  for (int k = 0; k < p.stores; ++k) {
    const planned_store& s = plan.stores[static_cast<std::size_t>(p.first_store + k)];
    parts.planned.stores[k] = take(s.place, s.type);
  }
  for (int k = 0; k < p.loads; ++k) {
    const planned_load& l = plan.loads[static_cast<std::size_t>(p.first_load + k)];
    if (l.kind == lane::number) {
      parts.planned.numbers[k] = std::bit_cast<std::uint64_t>(l.number);
    } else if (l.kind == lane::index) {
      parts.planned.has_index = true;
      parts.planned.loads[k] = l.place;
      parts.planned.loads[k].base = 0;
    } else {
      parts.planned.loads[k] = take(l.place, l.type);
    }
  }
  if (is_called) parts.places = open(parts.planned);
  return parts;
}

}  // namespace tapeless::bare_kernels
