// SPDX-License-Identifier: BSL-1.0
// A plan's tables, as far as launches are concerned, without their sizes in the type; and what operands of
// two fused kernels have to do with each other.
#pragma once

#include <tapeless/plan/plan.hpp>

namespace tapeless::thrust_kernels {

/// What several fused kernels may take together; a launch has 32,764 bytes.
inline constexpr int most_parameter_bytes = 28 << 10;

namespace detail {

struct in_pointers {
  template <class Item, int Number>
  using table = const Item*;
};

}  // namespace detail

struct launch_tables : plan_tables<detail::in_pointers> {
  int command_count = 0;

  constexpr bool is_fused_kernel(int command) const {
    return command < command_count && commands[command].kind == planned_command::kind::fused_kernel;
  }
  constexpr bool is_product(int command) const {
    return command < command_count && commands[command].kind == planned_command::kind::product;
  }
  constexpr const planned_fused_kernel& fused_kernel_at(int command) const {
    return fused_kernels[commands[command].index];
  }

  // A fused kernel that only adds to memory is a map.
  constexpr bool reduces(const planned_fused_kernel& p) const {
    if (p.accumulates) return false;
    for (int k = 0; k < p.stores; ++k)
      if (stores[p.first_store + k].reduction != nullptr) return true;
    return false;
  }

  /// What a fused kernel's operands take of a launch's parameters, in bytes, for loops of that rank.
  constexpr int parameter_bytes(const planned_fused_kernel& p, int rank) const {
    return (p.loads + p.stores + 1) * (16 + 8 * rank) + (p.loads + 1) * 16 + 512;
  }

  /// Operand k of a fused kernel: its loads, then its stores.
  constexpr const access& operand(const planned_fused_kernel& p, int k) const {
    return k < p.loads ? loads[p.first_load + k].place : stores[p.first_store + k - p.loads].place;
  }

  /// Calls f(operand of p, operand of q) for all that share memory, of which one writes there; until it says
  /// false.
  template <class F>
  constexpr bool all_shared(const planned_fused_kernel& p, const planned_fused_kernel& q, F f) const {
    for (int i = 0; i < p.loads + p.stores; ++i) {
      if (!has_memory(p, i)) continue;
      for (int k = i < p.loads ? q.loads : 0; k < q.loads + q.stores; ++k)
        if (has_memory(q, k) && same_memory(operand(p, i), operand(q, k)) && !f(operand(p, i), operand(q, k)))
          return false;
    }
    return true;
  }
  constexpr bool same_memory(const access& a, const access& b) const {
    const placement &x = place[a.base], &y = place[b.base];
    return x.kind != storage::none && x.kind == y.kind && x.index == y.index;
  }

 private:
  constexpr bool has_memory(const planned_fused_kernel& p, int k) const {
    if (k >= p.loads) return true;
    const lane kind = loads[p.first_load + k].kind;
    return kind != lane::number && kind != lane::index;
  }
};

/// The tables of a program's plan.
template <class GraphBuilder>
constexpr launch_tables launch_tables_of() {
  constexpr auto& p = plan_of<GraphBuilder>;
  launch_tables t;
  for_each_plan_table([](const auto& table, auto& items) { items = table.data(); }, p, t);
  t.command_count = static_cast<int>(p.commands.size());
  return t;
}

}  // namespace tapeless::thrust_kernels
