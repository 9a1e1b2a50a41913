// SPDX-License-Identifier: BSL-1.0
// What is inside of a checkpoint, and how it is computed again.
#pragma once

#include <tapeless/graph/core/value.hpp>

namespace tapeless {

namespace detail {

constexpr value same_cotangent(int, value g, const value*, value) { return g; }

}  // namespace detail

/// checkpoint(x): x, whose computation is repeated where its derivative needs what is inside.
inline constexpr operation checkpoint_operation{"checkpoint", family::alias, jacobian::diagonal,
                                                &detail::same_cotangent};

namespace detail {

/// Leaves, other checkpoints and what comes from other iterations of a loop are not computed again.
constexpr bool can_repeat(const node& n, int region) {
  return n.operand_count > 0 && n.region == region && n.op != &checkpoint_operation &&
         n.op->kind != family::carry && n.op->kind != family::stacked &&
         n.op != &graph::iteration_operation && n.op != &graph::last_operation;
}

/// Who reads a value for derivatives: the nodes that were built first, or copies of what is inside of a
/// checkpoint. A few of them are told apart.
class derivative_readers {
 public:
  static constexpr int most = 2, originals = -1;

  constexpr void add(int reader) {
    for (int k = 0; k < count_; ++k)
      if (readers_[k] == reader) return;
    if (count_ <= most) readers_[count_++] = reader;
  }
  constexpr void add(const derivative_readers& others) {
    for (int k = 0; k < others.count_; ++k) add(others.readers_[k]);
  }
  constexpr bool are_none() const { return count_ == 0; }
  constexpr bool are_many() const { return count_ > most; }
  constexpr bool have_originals() const {
    for (int k = 0; k < count_; ++k)
      if (readers_[k] == originals) return true;
    return false;
  }

 private:
  int readers_[most + 1] = {}, count_ = 0;
};

/// How a checkpoint that a value is inside of gets it.
enum class recomputation : char {
  copied,
  kept,       // as it was computed first
  checkpoint  // kept, and what it is made of is computed again for its own derivative
};

/// By node, whether it is behind a checkpoint that it could be computed again from.
constexpr list<char> behind_checkpoints(const graph& g, int last) {
  list<char> behind;
  behind.assign(last + 1, 0);
  for (int i = 0; i <= last; ++i) {
    const node& n = g.nodes[i];
    for (int k = 0; k < n.operand_count; ++k) {
      const node& operand = g.nodes[n.operands[k]];
      if (operand.op == &checkpoint_operation ? operand.region == n.region
                                              : behind[n.operands[k]] != 0 && can_repeat(operand, n.region))
        behind[i] = 1;
    }
  }
  return behind;
}

/// What derivatives are by is kept, so that its cotangents come together. So is what is behind a checkpoint
/// and would be computed again and again: the sums of h = h + checkpoint(block(h)), of which the last would
/// be made of all checkpoints otherwise.
constexpr list<recomputation> find_recomputations(const graph& g, int last, const list<int>& wrt) {
  list<recomputation> result;
  result.assign(last + 1, recomputation::copied);
  for (int id : wrt)
    if (id <= last) result[id] = recomputation::kept;
  bool any = false;
  for (int i = 0; i <= last && !any; ++i) any = g.nodes[i].op == &checkpoint_operation;
  if (!any) return result;
  const list<char> behind = behind_checkpoints(g, last);
  list<derivative_readers> readers;
  readers.assign(last + 1, {});
  readers[last].add(derivative_readers::originals);
  for (const loop_carry& c : g.carries)
    if (c.next <= last) readers[c.next].add(derivative_readers::originals);
  for (int i = last; i >= 0; --i) {
    const node& n = g.nodes[i];
    if (readers[i].are_none()) continue;
    const bool repeats = can_repeat(n, n.region);
    if (repeats && behind[i] != 0 && readers[i].are_many() && result[i] == recomputation::copied)
      result[i] = readers[i].have_originals() ? recomputation::kept : recomputation::checkpoint;
    for (int k = 0; k < n.operand_count; ++k) {
      derivative_readers& of_operand = readers[n.operands[k]];
      if (n.op == &checkpoint_operation || result[i] == recomputation::checkpoint)
        of_operand.add(i);
      else if (repeats && result[i] == recomputation::copied && g.nodes[n.operands[k]].region == n.region)
        of_operand.add(readers[i]);
      else
        of_operand.add(derivative_readers::originals);
    }
  }
  return result;
}

/// The first one of a node and its copies.
constexpr int first_of_copies(const graph& g, int id) {
  if (g.nodes[id].rematerialization != 0)
    for (const recomputed_node& r : g.recomputed)
      if (r.copy == id) return r.id;
  return id;
}

/// Calls f with each copy of a node, of which there are none outside of checkpoints.
template <class F>
constexpr void for_each_copy(const graph& g, int id, F f) {
  if (g.nodes[id].operand_count == 0) return;
  for (int k = 0; k < g.recomputed.size(); ++k)
    if (g.recomputed[k].id == id) f(g.recomputed[k].copy);
}

/// What a derivative by some nodes is by: these, and their copies, which are the same values.
constexpr list<int> with_copies(const graph& g, const list<int>& nodes) {
  list<int> all(nodes);
  for (int id : nodes) for_each_copy(g, id, [&](int copy) { all.push(copy); });
  return all;
}

/// Copies node `last` and all that it is made of, up to what cannot be repeated, and to what is kept.
/// Post-condition: copy[i] is the number of node i's copy, or -1.
constexpr void repeat_inside(graph& g, int last, const list<recomputation>& how, list<int>& copy) {
  const int region = g.nodes[last].region, rematerialization = ++g.rematerializations;
  list<char> inside;
  inside.assign(last + 1, 0);
  copy.assign(last + 1, -1);
  inside[last] = 1;
  for (int i = last; i >= 0; --i)
    for (int k = 0; inside[i] != 0 && k < g.nodes[i].operand_count; ++k) {
      const int operand = g.nodes[i].operands[k];
      if (how[operand] == recomputation::copied && can_repeat(g.nodes[operand], region)) inside[operand] = 1;
    }
  for (int i = 0; i <= last; ++i) {
    if (inside[i] == 0) continue;
    node n = g.nodes[i];
    n.rematerialization = rematerialization;
    for (int k = 0; k < n.operand_count; ++k)
      if (copy[n.operands[k]] >= 0) n.operands[k] = copy[n.operands[k]];
    copy[i] = g.add(n);
    if (g.nodes[copy[i]].rematerialization == rematerialization)
      g.recomputed.push({first_of_copies(g, i), copy[i]});
  }
}

}  // namespace detail

}  // namespace tapeless
