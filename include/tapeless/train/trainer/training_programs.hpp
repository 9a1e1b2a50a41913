// SPDX-License-Identifier: BSL-1.0
// The programs of a rule that trains a model, and whether there can be any.
#pragma once

#include <type_traits>

#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/run/common/policy.hpp>
#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/timing.hpp>

namespace tapeless {

namespace detail {

template <class Rule>
inline constexpr bool accumulates = requires { Rule::accumulates; };

/// The program of a training step: the whole step, or what collects gradients.
template <class Model, class Rule, class Policy, bool Eager>
struct step_program_of {
  using type = ready_for<std::conditional_t<accumulates<Rule>, accumulate_graph_builder<Model, Rule, Eager>,
                                            step_graph_builder<Model, Rule, Eager>>,
                         Policy>;
};

/// The program of an update, whose graph has all of the rule's states.
template <class Model, class Rule, class Policy, bool Eager>
using update_program_of = ready_for<std::conditional_t<accumulates<Rule>, apply_graph_builder<Model, Rule>,
                                                       step_graph_builder<Model, Rule, Eager>>,
                                    Policy>;

/// Whether a trainer can go by the rule on the policy, and why not where it can't; of a rule that has been
/// refused already nothing more is said.
template <class Rule, class Policy>
constexpr bool can_train = is_rule<Rule> && !goes_uphill<Rule> && can_run_on<Policy>();
template <class Rule, class Policy>
struct parts_report : policy_report<Policy>,
                      direction_report<Rule>,
                      contract_report<rule_contract<Rule>, is_rule<Rule> || is_erroneous<Rule>> {};

template <class Model, class Rule, class Policy, class Timing>
constexpr bool is_trainable() {
  if constexpr (!can_train<Rule, Policy>) {
    return false;
  } else if constexpr (is_sound_model<Model>()) {
    return is_sound_graph<typename step_program_of<Model, Rule, Policy, Timing::eager>::type>();
  } else {
    return false;
  }
}

template <class Model, class Rule, class Policy, class Timing,
          bool Lowered = is_sound_model<Model>() && can_train<Rule, Policy>>
struct step_report {};
template <class Model, class Rule, class Policy, class Timing>
struct step_report<Model, Rule, Policy, Timing, true>
    : graph_report<typename step_program_of<Model, Rule, Policy, Timing::eager>::type> {};

}  // namespace detail

}  // namespace tapeless
