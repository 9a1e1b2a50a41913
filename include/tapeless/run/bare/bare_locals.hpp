// SPDX-License-Identifier: BSL-1.0
// Which programs are short, and what is between their kernels as local variables, which may be registers
// alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/bare/bare_memory.hpp>

namespace tapeless::bare_kernels {

namespace detail {

// A call costs nothing beside long loops, and in a function of their own compilers have all registers for
// them.
constexpr bool has_long_loops(const planned_fused_kernel& p) {
  std::int64_t elements = 1;
  for (int d = 0; d < p.rank; ++d) elements *= p.extents[d];
  return elements * (p.instructions + 1) >= 512;
}
constexpr bool has_long_loops(const planned_product& p) {
  std::int64_t products = p.m * p.n * p.k;
  for (int d = 0; d < p.batch_rank; ++d) products *= p.batch[d];
  return products >= 1024;
}

/// Whether a program takes so little that it can be a part of whatever calls it: a few commands in a row,
/// none with long loops.
template <class GraphBuilder>
constexpr bool is_short() {
  constexpr auto& plan = plan_of<GraphBuilder>;
  if (plan.commands.size() > 16) return false;
  for (const planned_command& command : plan.commands) {
    const auto i = static_cast<std::size_t>(command.index);
    const bool is_long = command.kind == planned_command::kind::fused_kernel
                             ? has_long_loops(plan.fused_kernels[i])
                         : command.kind == planned_command::kind::product ? has_long_loops(plan.products[i])
                                                                          : true;
    if (is_long) return false;
  }
  return true;
}

/// Whether a buffer of the arena is a local variable of its program, which may be registers alone: where the
/// machine has vectors, in a short program, and where it is no output. Memory on the stack is as scarce as
/// the arena on other machines.
template <class GraphBuilder>
inline constexpr auto is_local = [] {
  std::array<bool, plan_of<GraphBuilder>.buffers.size() + 1> all{};
  if (vector_bytes == 0 || !is_short<GraphBuilder>()) return all;
  for (bool& local : all) local = true;
  for (const graph_output& o : constant_graph_of<GraphBuilder>.outputs) {
    const placement p = plan_of<GraphBuilder>.place[static_cast<std::size_t>(o.node)];
    if (p.kind == storage::arena) all[static_cast<std::size_t>(p.index)] = false;
  }
  return all;
}();

}  // namespace detail

/// Local variables of a program, at their offsets in its arena.
template <class GraphBuilder>
inline constexpr bool has_locals = detail::is_local<GraphBuilder>.back();
template <class GraphBuilder, class Layout>
struct bare_locals {
  static constexpr auto end = detail::offset_of<GraphBuilder, Layout>(
      {storage::arena, static_cast<int>(plan_of<GraphBuilder>.buffers.size())});
  alignas(bare_alignment) std::byte bytes[has_locals<GraphBuilder> && end > 0 ? end : 1];
};

}  // namespace tapeless::bare_kernels
