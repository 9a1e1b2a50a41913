// SPDX-License-Identifier: BSL-1.0
// Puts the commands that overwrite parameters and states behind those that read the old values.
#pragma once

#include <cstddef>

#include <tapeless/plan/schedule.hpp>

namespace tapeless {

namespace detail {

/// The nodes that own the operands of a kernel family's command.
struct family_bases {
  int source[max_operands] = {}, sources = 0, target = -1;
};

/// One function for all who ask, so that each family is looked at once. The tables are those of a schedule or
/// of a plan_view, here as in the next two.
template <class Tables>
constexpr family_bases bases_of(const Tables& tables, const planned_command& command) {
  family_bases b;
  for_family(kernel_families{}, command.family, [&]<class Family>() {
    const Family& planned = tables.families.template of<Family>()[static_cast<std::size_t>(command.index)];
    planned.for_each_source([&](const access& a) { b.source[b.sources++] = a.base; });
    b.target = planned.target().base;
  });
  return b;
}

/// Calls f with the node that owns each operand that the command reads.
template <class Tables, class F>
constexpr void for_each_read(const Tables& tables, const planned_command& command, F f) {
  const auto i = static_cast<std::size_t>(command.index);
  switch (command.kind) {
    case planned_command::kind::fused_kernel: {
      const planned_fused_kernel& p = tables.fused_kernels[i];
      for (int k = p.first_load; k < p.first_load + p.loads; ++k) {
        const planned_load& l = tables.loads[static_cast<std::size_t>(k)];
        if (l.kind != lane::number && l.kind != lane::index) f(l.place.base);
      }
      return;
    }
    case planned_command::kind::product:
      f(tables.products[i].a.base);
      f(tables.products[i].b.base);
      return;
    case planned_command::kind::of_family: {
      const family_bases b = bases_of(tables, command);
      for (int k = 0; k < b.sources; ++k) f(b.source[k]);
      return;
    }
    case planned_command::kind::loop_begin:
    case planned_command::kind::loop_end:
      return;
  }
}

/// The same for what it writes; in a schedule, where a loop begins, for all that it will fill.
template <class Tables, class F>
constexpr void for_each_write(const Tables& tables, const planned_command& command, F f) {
  const auto i = static_cast<std::size_t>(command.index);
  switch (command.kind) {
    case planned_command::kind::fused_kernel: {
      const planned_fused_kernel& p = tables.fused_kernels[i];
      for (int k = p.first_store; k < p.first_store + p.stores; ++k)
        f(tables.stores[static_cast<std::size_t>(k)].place.base);
      return;
    }
    case planned_command::kind::product:
      f(tables.products[i].c.base);
      return;
    case planned_command::kind::of_family:
      f(bases_of(tables, command).target);
      return;
    case planned_command::kind::loop_begin:
      if constexpr (requires { tables.stacked; }) {
        const planned_loop& l = tables.loops[i];
        for (int k = l.first_stack; k < l.first_stack + l.stacks; ++k) f(tables.stacked[k]);
      }
      return;
    case planned_command::kind::loop_end:
      return;
  }
}

/// The command behind those that stay together with command t: a loop, or command t alone.
constexpr int end_of_block(const schedule& s, int t) {
  if (s.commands[t].kind == planned_command::kind::loop_begin)
    while (s.commands[t].kind != planned_command::kind::loop_end) ++t;
  return t + 1;
}

/// late[t]: command t has effects, or reads what such a command writes, or writes there after it. A loop is
/// late as a whole.
constexpr void mark_late(const graph& g, const schedule& s, const list<int>& target, list<char>& late) {
  list<char> late_node;
  late_node.assign(g.nodes.size(), 0);
  for (int t = 0; t < s.commands.size();) {
    const int end = end_of_block(s, t);
    bool is_late = false;
    for (int i = t; i < end; ++i) {
      for_each_read(s, s.commands[i], [&](int id) { is_late = is_late || late_node[id] != 0; });
      for_each_write(s, s.commands[i],
                     [&](int id) { is_late = is_late || target[id] >= 0 || late_node[id] != 0; });
    }
    for (; t < end; ++t) {
      if (is_late) for_each_write(s, s.commands[t], [&](int id) { late_node[id] = 1; });
      late.push(is_late ? 1 : 0);
    }
  }
}

/// Sorts the commands by `key`, those of one key as they are.
constexpr void sort_commands(schedule& s, const list<int>& key, int keys) {
  list<int> first;  // of each key
  first.assign(keys + 1, 0);
  for (int k : key) ++first[k + 1];
  for (int k = 0; k < keys; ++k) first[k + 1] += first[k];
  list<planned_command> commands;
  commands.assign(s.commands.size(), {});
  for (int t = 0; t < s.commands.size(); ++t) commands[first[key[t]]++] = s.commands[t];
  for (int t = 0; t < commands.size(); ++t) s.commands[t] = commands[t];
}

}  // namespace detail

/// Deferred timing: commands with effects, and commands that read what these write, come last, otherwise in
/// the order of the graph. target[i] is the node that node i's value overwrites, or -1.
constexpr void defer_updates(const graph& g, schedule& s, const list<int>& target) {
  list<char> late;
  detail::mark_late(g, s, target, late);
  list<int> key;
  for (char l : late) key.push(l);
  detail::sort_commands(s, key, 2);
}

namespace detail {

/// Whether the family's kernel changes some of an operand's elements where they are, and reads no other
/// operand of that memory.
constexpr bool changes_in_place(const schedule& s, const planned_command& command, int target) {
  bool in_place = false;
  for_family(kernel_families{}, command.family, [&]<class Family>() {
    if constexpr (requires(const Family& planned) { planned.overwritten(); }) {
      const Family& planned = s.families.template of<Family>()[command.index];
      int reads = 0;
      planned.for_each_source([&](const access& a) { reads += a.base == target ? 1 : 0; });
      in_place = planned.overwritten().base == target && reads == 1;
    }
  });
  return in_place;
}

// Within the fused kernel that overwrites `target`, an element may be read by the iteration that writes it
// only.
constexpr bool reads_elsewhere(const schedule& s, const planned_command& command, int target, int value) {
  if (command.kind == planned_command::kind::of_family) return !changes_in_place(s, command, target);
  if (command.kind != planned_command::kind::fused_kernel) return true;
  const planned_fused_kernel& p = s.fused_kernels[command.index];
  const access* written = nullptr;
  for (int k = p.first_store; k < p.first_store + p.stores; ++k)
    if (s.stores[k].place.base == value) written = &s.stores[k].place;
  if (p.reduced != 0) return true;
  for (int k = p.first_load; k < p.first_load + p.loads; ++k) {
    const access& read = s.loads[k].place;
    if (read.base != target) continue;
    if (written == nullptr || read.offset != written->offset) return true;
    for (int d = 0; d < p.rank; ++d)
      if (read.strides[d] != written->strides[d]) return true;
  }
  return false;
}

}  // namespace detail

/// The effects whose target is still read, with its old value, when it has been overwritten: all updates of a
/// training step happen at once, so these need memory of their own, and a copy at the end.
constexpr void find_hazards(const graph& g, const schedule& s, const list<int>& target, list<int>& hazards) {
  list<char> overwritten, hazard;  // by target
  overwritten.assign(g.nodes.size(), 0);
  hazard.assign(g.nodes.size(), 0);
  for (const planned_command& command : s.commands) {
    detail::for_each_read(s, command, [&](int id) {
      if (overwritten[id] != 0) hazard[id] = 1;
    });
    detail::for_each_write(s, command, [&](int id) {
      if (target[id] < 0) return;
      overwritten[target[id]] = 1;
      bool reads = false;
      detail::for_each_read(s, command, [&](int other) { reads = reads || other == target[id]; });
      if (reads && detail::reads_elsewhere(s, command, target[id], id)) hazard[target[id]] = 1;
    });
  }
  hazards.clear();
  for (int e = 0; e < g.effects.size(); ++e)
    if (hazard[g.effects[e].target] != 0) hazards.push(e);
}

}  // namespace tapeless
