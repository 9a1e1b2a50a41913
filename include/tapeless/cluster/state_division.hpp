// SPDX-License-Identifier: BSL-1.0
// Which rank has a parameter's states and computes its update, and what of a program's commands that leaves
// to the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/optim/base/state_numbers.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/plan/order.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/run/common/program_core.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// Calls f(parameter, rank) with the rank that owns it: each has some that stand together, as even in bytes
/// as whole parameters allow.
template <class F>
constexpr void for_each_owner(array_view<const parameter_description> parameters, int size, const F& f) {
  std::int64_t all = 0, before = 0;
  for (const parameter_description& p : parameters) all += aligned(p.bytes());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::int64_t own = aligned(parameters[i].bytes());
    f(i, all == 0 ? 0 : std::min(size - 1, static_cast<int>((before + own / 2) * size / all)));
    before += own;
  }
}

/// The bytes of the states that a rank has, in blocks as memory is planned.
constexpr std::int64_t bytes_of_states(array_view<const parameter_description> parameters,
                                       array_view<const state_description> states, int rank, int size) {
  std::int64_t bytes = 0;
  const auto add_those_of = [&](int parameter) {
    for (const state_description& s : states)
      if (s.of == parameter || (parameter < 0 && s.of < 0)) bytes += aligned(s.bytes());
  };
  add_those_of(-1);
  for_each_owner(parameters, size, [&](std::size_t i, int owner) {
    if (owner == rank) add_those_of(static_cast<int>(i));
  });
  return bytes;
}

/// Parameters divided among ranks, see for_each_owner. States that belong to no parameter are on all ranks.
class state_division final : public left_to_others {
 public:
  state_division(array_view<const parameter_description> parameters,
                 array_view<const state_description> states, int rank, int size)
      : rank_(rank) {
    for (const parameter_description& p : parameters) is_buffer_.push_back(p.is_buffer ? 1 : 0);
    for_each_owner(parameters, size, [&](std::size_t, int owner) { owner_.push_back(owner); });
    for (const state_description& s : states)
      absent_.push_back(s.of >= 0 && owner_[static_cast<std::size_t>(s.of)] != rank ? 1 : 0);
  }

  int owner(std::size_t parameter) const { return owner_[parameter]; }
  /// Where each rank's part of the parameters' block begins, and the end: for blocks with these elements.
  std::vector<std::int64_t> ranges(array_view<const parameter_description> block, int size) const {
    std::vector<std::int64_t> begin(static_cast<std::size_t>(size) + 1);
    for (std::size_t i = 0; i < block.size(); ++i)
      begin[static_cast<std::size_t>(owner_[i]) + 1] += aligned(block[i].bytes());
    for (std::size_t r = 1; r < begin.size(); ++r) begin[r] += begin[r - 1];
    return begin;
  }

  array_view<const char> states() const override { return absent_; }

  /// Those that only other ranks' parameters and states need; none of a program that updates nothing. Throws
  /// an error where a rule's update of one parameter reads another one's states: that cannot be divided.
  list<char> commands(const plan_view& plan) const override {
    if (!updates(plan)) return {};
    list<char> left_out(plan.commands.size()), needed(plan.place.size());
    for (const graph_output& o : plan.outputs) needed[o.node] = 1;
    for (std::size_t end = plan.commands.size(); end > 0;) {
      const std::size_t begin = begin_of_block(plan, end);
      bool is_needed = false, is_others = false;
      for (std::size_t s = begin; s < end; ++s)
        for_each_write(plan, plan.commands[s], [&](int node) {
          is_others = is_others || is_elsewhere(plan, node);
          is_needed = is_needed || needed[node] != 0 || is_kept_here(plan, node);
        });
      if (is_needed && is_others) refuse();
      for (std::size_t s = begin; s < end; ++s) {
        left_out[s] = is_needed ? 0 : 1;
        if (!is_needed) continue;
        for_each_read(plan, plan.commands[s], [&](int node) {
          needed[node] = 1;
          if (plan.place[static_cast<std::size_t>(node)].kind == storage::state && is_elsewhere(plan, node))
            refuse();
        });
      }
      end = begin;
    }
    return left_out;
  }

 private:
  int rank_;
  std::vector<int> owner_;
  std::vector<char> is_buffer_, absent_;

  [[noreturn]] TAPELESS_COLD static void refuse() {
    throw_error(
        "sharded_states: the rule's update of one parameter reads the states of others, which are on other "
        "ranks: leave sharded_states out");
  }

  static std::size_t begin_of_block(const plan_view& plan, std::size_t end) {
    std::size_t begin = end - 1;
    if (plan.commands[begin].kind == planned_command::kind::loop_end)
      while (plan.commands[begin].kind != planned_command::kind::loop_begin) --begin;
    return begin;
  }

  // A parameter that the rule changes, or a state of the rule's: not sums of gradients, and running
  // statistics.
  bool is_updated(const placement& p) const {
    if (p.kind == storage::parameter) return is_buffer_[static_cast<std::size_t>(p.index)] == 0;
    return p.kind == storage::state && p.index >= first_of_rule();
  }
  bool is_elsewhere(const plan_view& plan, int node) const {
    const placement& p = plan.place[static_cast<std::size_t>(node)];
    if (!is_updated(p)) return false;
    return p.kind == storage::parameter ? owner_[static_cast<std::size_t>(p.index)] != rank_
                                        : absent_[static_cast<std::size_t>(p.index - first_of_rule())] != 0;
  }
  bool is_kept_here(const plan_view& plan, int node) const {
    return is_updated(plan.place[static_cast<std::size_t>(node)]) && !is_elsewhere(plan, node);
  }
  bool updates(const plan_view& plan) const {
    bool any = false;
    for (const planned_command& command : plan.commands)
      for_each_write(plan, command,
                     [&](int node) { any = any || is_updated(plan.place[static_cast<std::size_t>(node)]); });
    return any;
  }
  int first_of_rule() const { return state_numbers{static_cast<int>(owner_.size())}.first_of_rule(); }
};

}  // namespace tapeless::detail
