// SPDX-License-Identifier: BSL-1.0
// Eager timing: parameters are updated while the backward pass runs, so that no gradient waits for the
// others.
#pragma once

#include <tapeless/plan/order.hpp>

namespace tapeless {

namespace detail {

/// When a command runs in eager timing.
enum class moment : char {
  in_place,     ///< where the graph has it
  when_ready,   ///< as soon as all that it reads is there
  when_needed,  ///< right before the first command that reads its result
};

class eager_scheduler {
 public:
  constexpr eager_scheduler(graph& g, schedule& s, const list<int>& target) : g_(g), s_(s), target_(target) {
    for (int t = 0; t < s.commands.size(); t = end_of_block(s, t)) blocks_.push(t);
    blocks_.push(s.commands.size());
  }

  constexpr void run() {
    mark();
    find_last_check();
    key_.assign(s_.commands.size(), -1);
    while (settle()) delay();
    // A command that waits for command k comes right behind it: behind all of k's own key, which stand first.
    list<int> keys;
    for (int b = 0; b + 1 < blocks_.size(); ++b)
      for (int t = blocks_[b]; t < blocks_[b + 1]; ++t)
        keys.push(2 * key_[b] + (moment_[b] == moment::in_place ? 0 : 1));
    sort_commands(s_, keys, 2 * s_.commands.size());
  }

 private:
  graph& g_;
  schedule& s_;
  const list<int>& target_;
  list<int> blocks_;  // where loops, or commands alone, begin; then the end
  list<moment> moment_;
  list<int> key_;          // by block: the command that it comes after
  list<int> made_, read_;  // by node: the last command that writes, or reads, it
  int last_check_ = 0;     // the last command that may refuse an index

  template <class F>
  constexpr void reads(int block, F f) const {
    for (int t = blocks_[block]; t < blocks_[block + 1]; ++t) for_each_read(s_, s_.commands[t], f);
  }
  template <class F>
  constexpr void writes(int block, F f) const {
    for (int t = blocks_[block]; t < blocks_[block + 1]; ++t) for_each_write(s_, s_.commands[t], f);
  }

  /// The commands with effects move, and those that read what these write; and what the rule computes on the
  /// way from a gradient to them. That stands behind all gradients, where what needs no gradient belongs to
  /// the rule, too, and takes no memory before its time.
  constexpr void mark() {
    list<char> late, follows;  // by command; by node: computed from a gradient
    mark_late(g_, s_, target_, late);
    follows.assign(g_.nodes.size(), 0);
    for (const graph_effect& e : g_.effects) {
      access a;
      if (e.gradient >= 0 && resolve(g_, e.gradient, a)) follows[a.base] = 1;
    }
    int last = blocks_.size();
    for (int b = 0; b + 1 < blocks_.size(); ++b)
      writes(b, [&](int id) { last = follows[id] != 0 ? b : last; });
    for (int b = 0; b + 1 < blocks_.size(); ++b) {
      bool soon = late[blocks_[b]] != 0;
      if (b > last) reads(b, [&](int id) { soon = soon || follows[id] != 0; });
      if (soon) writes(b, [&](int id) { follows[id] = 1; });
      moment_.push(soon ? moment::when_ready : b > last ? moment::when_needed : moment::in_place);
    }
  }

  /// Nothing is overwritten before the last command that may refuse an index, so that a refused step changes
  /// nothing. An index is checked once: the gradient uses it again.
  constexpr void find_last_check() {
    list<picked> seen;
    for (int b = 0; b + 1 < blocks_.size(); ++b) {
      if (moment_[b] != moment::in_place) continue;
      for (int t = blocks_[b]; t < blocks_[b + 1]; ++t) {
        if (s_.commands[t].kind != planned_command::kind::of_family) continue;
        picked p;
        if (!picks_by_index(s_.commands[t], p) || is_known(p, seen)) continue;
        seen.push(p);
        last_check_ = blocks_[b + 1] - 1;
      }
    }
  }
  struct picked {
    access index;
    std::int64_t bound = 0;

    constexpr bool operator==(const picked& other) const {
      for (int d = 0; d < max_rank; ++d)
        if (index.strides[d] != other.index.strides[d]) return false;
      return index.base == other.index.base && index.offset == other.index.offset && bound == other.bound;
    }
  };
  constexpr bool picks_by_index(const planned_command& command, picked& p) const {
    for_family(kernel_families{}, command.family, [&]<class Family>() {
      if constexpr (requires(const Family& planned) { planned.bound; }) {
        const Family& planned = s_.families.template of<Family>()[command.index];
        p = {planned.index, planned.bound};
      }
    });
    return p.index.base >= 0;  // an iteration's, also for the loop back: in the stack that saves all
  }
  // Whether an index has been checked: as an input when it was bound, by an earlier command, or, if it is
  // recomputed, when it was first computed.
  constexpr bool is_known(const picked& p, const list<picked>& seen) const {
    for (const picked& other : seen)
      if (other == p) return true;
    return g_.nodes[p.index.base].rematerialization != 0 || is_checked_input(g_, p.index.base, p.bound);
  }

  /// Gives each block its key, from those of the blocks that it waits for, delayed ones too. Returns whether
  /// one has changed.
  constexpr bool settle() {
    bool changes = false;
    made_.assign(g_.nodes.size(), 0);
    read_.assign(g_.nodes.size(), 0);
    for (int b = 0; b + 1 < blocks_.size(); ++b)
      if (moment_[b] == moment::in_place) set(b, blocks_[b + 1] - 1);
    for (int b = 0; b + 1 < blocks_.size(); ++b) {
      if (moment_[b] == moment::in_place) continue;
      const bool is_delayed = moment_[b] == moment::when_needed && key_[b] >= 0;
      const int key = is_delayed ? key_[b] : ready(b);
      changes = changes || key != key_[b];
      set(b, key);
    }
    return changes;
  }

  constexpr void set(int block, int key) {
    const auto wait_for = [key](int& last) { last = last > key ? last : key; };
    key_[block] = key;
    writes(block, [&](int id) { wait_for(made_[id]); });
    reads(block, [&](int id) { wait_for(read_[id]); });
  }

  /// Behind all that the block reads, all that write there before it, and all that have read what it
  /// overwrites. A block that overwrites anything also stands behind the last check.
  constexpr int ready(int block) const {
    int after = 0;
    const auto wait = [&](int command) { after = command > after ? command : after; };
    reads(block, [&](int id) { wait(made_[id]); });
    writes(block, [&](int id) {
      wait(made_[id]);
      if (target_[id] < 0) return;
      wait(read_[target_[id]]);
      wait(last_check_);
    });
    return after;
  }

  constexpr void delay() {
    list<int> needed;  // by node: the first key of those that read it, or write there, too
    needed.assign(g_.nodes.size(), s_.commands.size());
    for (int b = blocks_.size() - 2; b >= 0; --b) {
      if (moment_[b] == moment::when_needed) {
        int first = s_.commands.size() - 1;
        writes(b, [&](int id) { first = needed[id] < first ? needed[id] : first; });
        key_[b] = first;
      }
      const auto need = [&](int id) { needed[id] = key_[b] < needed[id] ? key_[b] : needed[id]; };
      reads(b, need);
      writes(b, need);
    }
  }
};

}  // namespace detail

/// Moves each command that overwrites a parameter or state, and what leads from a gradient to it. It comes as
/// soon as all that it reads is there, and all others have read what it overwrites. target[i] is the node
/// that node i's value overwrites, or -1.
constexpr void schedule_updates_eagerly(graph& g, schedule& s, const list<int>& target) {
  detail::eager_scheduler(g, s, target).run();
}

}  // namespace tapeless
