// SPDX-License-Identifier: BSL-1.0
// Puts the steps that overwrite parameters and states behind those that read the old values.
#pragma once

#include <tapeless/plan/schedule.hpp>

namespace tapeless {

namespace detail {

/// Calls f with the node that owns each operand that the step reads.
template <class F>
constexpr void for_each_read(const schedule& s, const planned_step& step, F f) {
  switch (step.kind) {
    case planned_step::kind::pass: {
      const planned_pass& p = s.passes[step.index];
      for (int k = p.first_load; k < p.first_load + p.loads; ++k)
        if (s.loads[k].kind != lane::number && s.loads[k].kind != lane::index) f(s.loads[k].place.owner);
      return;
    }
    case planned_step::kind::product:
      f(s.products[step.index].a.owner);
      f(s.products[step.index].b.owner);
      return;
    case planned_step::kind::convolution: {
      const planned_convolution& c = s.convolutions[step.index];
      if (c.computes != convolution_part::x) f(c.x.owner);
      if (c.computes != convolution_part::weight) f(c.weight.owner);
      if (c.computes != convolution_part::y) f(c.y.owner);
      return;
    }
    case planned_step::kind::pooling: {
      const planned_pooling& p = s.poolings[step.index];
      for (int k = 0; k < p.sources; ++k) f(p.source[k].owner);
      return;
    }
    case planned_step::kind::walk:
      f(s.walks[step.index].source.owner);
      if (s.walks[step.index].index.owner >= 0) f(s.walks[step.index].index.owner);
      return;
    case planned_step::kind::loop_begin:
    case planned_step::kind::loop_end:
      return;
  }
}

/// The same for what it writes; where a loop begins, for all that it will fill.
template <class F>
constexpr void for_each_write(const schedule& s, const planned_step& step, F f) {
  switch (step.kind) {
    case planned_step::kind::pass: {
      const planned_pass& p = s.passes[step.index];
      for (int k = p.first_store; k < p.first_store + p.stores; ++k) f(s.stores[k].place.owner);
      return;
    }
    case planned_step::kind::product:
      f(s.products[step.index].c.owner);
      return;
    case planned_step::kind::convolution:
      f(s.convolutions[step.index].target().owner);
      return;
    case planned_step::kind::pooling:
      f(s.poolings[step.index].target.owner);
      return;
    case planned_step::kind::walk:
      f(s.walks[step.index].target.owner);
      return;
    case planned_step::kind::loop_begin: {
      const planned_loop& l = s.loops[step.index];
      for (int k = l.first_stack; k < l.first_stack + l.stacks; ++k) f(s.stacked[k]);
      return;
    }
    case planned_step::kind::loop_end:
      return;
  }
}

/// The step behind those that stay together with step t: a loop, or step t alone.
constexpr int end_of_block(const schedule& s, int t) {
  if (s.steps[t].kind == planned_step::kind::loop_begin)
    while (s.steps[t].kind != planned_step::kind::loop_end) ++t;
  return t + 1;
}

/// late[t]: step t has effects, or reads what such a step writes. A loop is late as a whole.
constexpr void mark_late(const graph& g, const schedule& s, const list<int>& target, list<char>& late) {
  list<char> late_node;
  late_node.assign(g.nodes.size(), 0);
  for (int t = 0; t < s.steps.size();) {
    const int end = end_of_block(s, t);
    bool is_late = false;
    for (int i = t; i < end; ++i) {
      for_each_read(s, s.steps[i], [&](int id) { is_late = is_late || late_node[id] != 0; });
      for_each_write(s, s.steps[i], [&](int id) { is_late = is_late || target[id] >= 0; });
    }
    for (; t < end; ++t) {
      if (is_late) for_each_write(s, s.steps[t], [&](int id) { late_node[id] = 1; });
      late.push(is_late ? 1 : 0);
    }
  }
}

/// Sorts the steps by `key`, those of one key as they are.
constexpr void sort_steps(schedule& s, const list<int>& key, int keys) {
  list<int> first;  // of each key
  first.assign(keys + 1, 0);
  for (int k : key) ++first[k + 1];
  for (int k = 0; k < keys; ++k) first[k + 1] += first[k];
  list<planned_step> steps;
  steps.assign(s.steps.size(), {});
  for (int t = 0; t < s.steps.size(); ++t) steps[first[key[t]]++] = s.steps[t];
  for (int t = 0; t < steps.size(); ++t) s.steps[t] = steps[t];
}

}  // namespace detail

/// Deferred timing: steps with effects, and steps that read what these write, come last, otherwise in the
/// order of the graph. target[i] is the node that node i's value overwrites, or -1.
constexpr void defer_updates(const graph& g, schedule& s, const list<int>& target) {
  list<char> late;
  detail::mark_late(g, s, target, late);
  list<int> key;
  for (char l : late) key.push(l);
  detail::sort_steps(s, key, 2);
}

namespace detail {

// Within the pass that overwrites `target`, an element may be read by the turn that writes it, but no other.
constexpr bool reads_elsewhere(const schedule& s, const planned_step& step, int target, int value) {
  if (step.kind != planned_step::kind::pass) return true;
  const planned_pass& p = s.passes[step.index];
  const access* written = nullptr;
  for (int k = p.first_store; k < p.first_store + p.stores; ++k)
    if (s.stores[k].place.owner == value) written = &s.stores[k].place;
  if (p.reduced != 0) return true;
  for (int k = p.first_load; k < p.first_load + p.loads; ++k) {
    const access& read = s.loads[k].place;
    if (read.owner != target) continue;
    if (written == nullptr || read.offset != written->offset) return true;
    for (int d = 0; d < p.rank; ++d)
      if (read.strides[d] != written->strides[d]) return true;
  }
  return false;
}

}  // namespace detail

/// The effects whose target is still read, with its old value, when it has been overwritten: all updates of a
/// step happen at once, so these need memory of their own, and a copy at the end.
constexpr void find_hazards(const graph& g, const schedule& s, const list<int>& target, list<int>& hazards) {
  list<char> overwritten, hazard;  // by target
  overwritten.assign(g.nodes.size(), 0);
  hazard.assign(g.nodes.size(), 0);
  for (const planned_step& step : s.steps) {
    detail::for_each_read(s, step, [&](int id) {
      if (overwritten[id] != 0) hazard[id] = 1;
    });
    detail::for_each_write(s, step, [&](int id) {
      if (target[id] < 0) return;
      overwritten[target[id]] = 1;
      bool reads = false;
      detail::for_each_read(s, step, [&](int other) { reads = reads || other == target[id]; });
      if (reads && detail::reads_elsewhere(s, step, target[id], id)) hazard[target[id]] = 1;
    });
  }
  hazards.clear();
  for (int e = 0; e < g.effects.size(); ++e)
    if (hazard[g.effects[e].target] != 0) hazards.push(e);
}

}  // namespace tapeless
