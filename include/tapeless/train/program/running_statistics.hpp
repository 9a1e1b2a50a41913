// SPDX-License-Identifier: BSL-1.0
// The running statistics that a step of one of several losses changes. A batch_norm may be applied several
// times: each application is a link of a chain, next = share * before + part, that begins with the buffer.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/pointwise/mul.hpp>

namespace tapeless::detail {

/// The chains of a model's effects, from which the applications that a loss does not need are taken out.
class running_statistics {
 public:
  constexpr explicit running_statistics(graph& g) : g_(g) {
    before_.assign(g.nodes.size(), -1);
    is_out_.assign(g.nodes.size(), 0);
    for (const graph_effect& e : g.effects)
      for (int link = e.node; link != e.target; link = before_[link])
        before_[link] = link_before(link, e.target);
  }

  /// Leaves the applications whose sums are marked, and the effects of chains that have one.
  constexpr void keep(const list<char>& needed) {
    for (const graph_effect& e : g_.effects)
      for (int link = e.node; link != e.target; link = before_[link])
        if (what_is_seen_by(link, needed) == seen::other) take_out(link);
    list<int> now;  // what stands for each node
    for (int i = 0; i < before_.size(); ++i) {
      node n = g_.nodes[i];
      for (int k = 0; k < n.operand_count; ++k) n.operands[k] = now[n.operands[k]];
      now.push(is_out_[i] != 0 ? now[before_[i]] : n == g_.nodes[i] ? i : g_.insert(n));
    }
    list<graph_effect> effects;
    for (graph_effect e : g_.effects) {
      e.node = now[e.node];
      if (e.node != e.target) effects.push(e);
    }
    g_.effects.clear();
    for (const graph_effect& e : effects) g_.effects.push(e);
  }

 private:
  enum class seen { nothing, needed, other };

  graph& g_;
  list<int> before_;   // the link before a link, or the buffer; -1 of other nodes
  list<char> is_out_;  // of a link

  static constexpr bool is_computed_from_elements(const node& n) {
    return n.op->kind == family::pointwise || n.op->kind == family::view || n.op->kind == family::alias;
  }

  // Calls f with each node on the ways down from a link, which end at the link before and where f is false.
  template <class F>
  constexpr void go_down(int link, const F& f) const {
    list<char> visited;
    list<int> waiting;
    visited.assign(g_.nodes.size(), 0);
    if (before_[link] >= 0) visited[before_[link]] = 1;
    waiting.push(link);
    for (int w = 0; w < waiting.size(); ++w) {
      if (!f(waiting[w])) continue;
      const node& n = g_.nodes[waiting[w]];
      for (int k = 0; k < n.operand_count; ++k) {
        if (visited[n.operands[k]] == 0) waiting.push(n.operands[k]);
        visited[n.operands[k]] = 1;
      }
    }
  }

  constexpr bool comes_from(int id, int buffer) const {
    bool found = false;
    go_down(id, [&](int i) {
      found = found || i == buffer;
      return is_computed_from_elements(g_.nodes[i]);
    });
    return found;
  }
  constexpr int operand_from(int id, int buffer) const {
    const node& n = g_.nodes[id];
    for (int k = 0; k < n.operand_count && is_computed_from_elements(n); ++k)
      if (comes_from(n.operands[k], buffer)) return n.operands[k];
    return -1;
  }
  // The summand that comes from the buffer, without its factor; the buffer where a link forgets it.
  constexpr int link_before(int link, int buffer) const {
    const int part = operand_from(link, buffer);
    if (part < 0) return buffer;
    return g_.nodes[part].op == &operation_of<mul_operation> ? operand_from(part, buffer) : part;
  }

  // What a link's own part is made of: the sums or products that it begins with, on each way down. It is not
  // enough that their operands are needed: another loss may look at the same values.
  constexpr seen what_is_seen_by(int link, const list<char>& needed) const {
    seen all = seen::nothing;
    go_down(link, [&](int i) {
      const node& n = g_.nodes[i];
      const bool is_needed = n.operand_count > 0 && needed[i] != 0;
      if (is_needed && all == seen::nothing) all = seen::needed;
      if (is_needed || is_computed_from_elements(n)) return !is_needed;
      const bool is_of_samples = n.operand_count > 0 || n.op->kind == family::input ||
                                 (n.op->kind == family::parameter && !is_buffer(n));
      if (is_of_samples) all = seen::other;
      return false;
    });
    return all;
  }

  // With a link goes the count of batches that its share is made of, a link of another chain.
  constexpr void take_out(int link) {
    go_down(link, [&](int i) {
      if (before_[i] >= 0) is_out_[i] = 1;
      return i == link || (before_[i] < 0 && is_computed_from_elements(g_.nodes[i]));
    });
  }
};

}  // namespace tapeless::detail
