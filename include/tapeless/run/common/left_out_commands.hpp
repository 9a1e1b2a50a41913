// SPDX-License-Identifier: BSL-1.0
// What of a program's commands other processes do, as a backend can leave it out.
#pragma once

#include <cstddef>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/plan/plan_view.hpp>

namespace tapeless {

/// What of a trainer's work other processes do.
class left_to_others {
 public:
  left_to_others() = default;
  left_to_others(const left_to_others&) = delete;
  left_to_others& operator=(const left_to_others&) = delete;

  /// The states of the rule that are not here, by their number in the rule.
  virtual array_view<const char> states() const = 0;
  /// The commands of a program that are not run here.
  virtual list<char> commands(const plan_view& plan) const = 0;

 protected:
  ~left_to_others() = default;
};

/// The commands that are not run. Of those that a backend runs at once, all are skipped, or those of others
/// are empty: kernels of no elements.
class left_out_commands {
 public:
  left_out_commands() = default;
  /// Throws an error where a backend runs a product and its fused kernels at once, and but one of them is
  /// left out.
  template <class Backend>
  TAPELESS_COLD left_out_commands(const left_to_others& others, const plan_view& plan, const Backend& backend)
      : how_(others.commands(plan)) {
    if (how_.empty()) return;
    const std::size_t commands = plan.commands.size();
    for (std::size_t first = 0, count = 1; first < commands; first += count) {
      const planned_command& command = plan.commands[first];
      const bool is_product = command.kind == planned_command::kind::product;
      count = command.may_be_launched_with_others() ? backend.commands_at_once(command) : 1;
      std::size_t left_out = 0;
      for (std::size_t s = first; s < first + count; ++s) left_out += how_[s] != 0 ? 1 : 0;
      if (left_out == 0 || left_out == count) continue;
      if (is_product) refuse();
      for (std::size_t s = first; s < first + count; ++s)
        if (how_[s] != 0) how_[s] = empty;
    }
    if constexpr (requires { backend.taken_along(std::size_t{0}); })
      for (std::size_t s = 0; s < commands; ++s)
        if (plan.commands[s].kind == planned_command::kind::product) {
          const int kernel = backend.taken_along(static_cast<std::size_t>(plan.commands[s].index));
          if (kernel >= 0 && how_[command_of(plan, kernel)] != how_[s]) refuse();
        }
  }

  bool leaves_out() const { return !how_.empty(); }
  bool is_skipped(std::size_t command) const { return !how_.empty() && how_[command] == skipped; }
  bool is_empty(std::size_t command) const { return !how_.empty() && how_[command] == empty; }

 private:
  static constexpr char skipped = 1, empty = 2;
  list<char> how_;  // by command; 0 where it is run

  static std::size_t command_of(const plan_view& plan, int fused_kernel) {
    std::size_t s = 0;
    while (plan.commands[s].kind != planned_command::kind::fused_kernel ||
           plan.commands[s].index != fused_kernel)
      ++s;
    return s;
  }
  [[noreturn]] TAPELESS_COLD static void refuse() {
    throw_error(
        "sharded_states: a product of the rule's update is one launch with what belongs to a parameter of "
        "another rank: leave sharded_states out, or run on tl::cpu");
  }
};

}  // namespace tapeless
