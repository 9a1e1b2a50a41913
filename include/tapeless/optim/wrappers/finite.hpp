// SPDX-License-Identifier: BSL-1.0
// Whether gradients are finite, and an update that is put off where they are not.
#pragma once

#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/ops/reduction/reduction_options.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless::detail {

/// Whether all elements of all gradients that count for the rule are finite: a boolean scalar. Which those
/// are the rule says while its updates are built, as freezable does.
template <class Rule>
constexpr value all_finite(const list<rule_context>& parameters) {
  value most = make_constant(*parameters[0].parameter().builder, 0);
  for (const rule_context& c : parameters) {
    if (leaves_out<Rule>(c.owned().get())) continue;
    const value g = c.gradient(), all = max_reduction_operation::build(abs(g), (1u << g.rank()) - 1, false);
    most = max(most, c.counted(cast(all, element::number)));
  }
  return most < infinity;
}

/// Builds the rule's updates, which are done where all gradients are finite; where they are not, parameters
/// and states stay as they are, and the rule does not count the step: how many these were is a state of the
/// name Skipped. Returns whether all are finite.
template <class Rule, name Skipped>
constexpr value update_where_finite(list<rule_context>& parameters) {
  const value skipped = parameters[0].template shared_state<Skipped>();
  for (rule_context& c : parameters) c.set_step(c.shared_step() - cast(skipped, element::number));
  graph& g = *parameters[0].parameter().builder;
  const int first = g.effects.size();
  Rule::update(parameters);
  const value condition = all_finite<Rule>(parameters);
  for (int i = first; i < g.effects.size(); ++i) {
    const value target{&g, g.effects[i].target}, next{&g, g.effects[i].node};
    g.effects[i].node = where(condition, next, target).id;
  }
  for (rule_context& c : parameters) c.make_step_where(condition);
  parameters[0].set(skipped, where(condition, skipped, skipped + 1.0));
  return condition;
}

}  // namespace tapeless::detail
