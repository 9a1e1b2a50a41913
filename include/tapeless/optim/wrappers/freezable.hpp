// SPDX-License-Identifier: BSL-1.0
// freezable(rule): parameters that can be held fast between steps, and let go again.
#pragma once

#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

/// The name of the state that holds a parameter fast where it is not zero, and of that which counts in how
/// many steps it was held.
inline constexpr name frozen_label = "frozen", frozen_steps_label = "frozen.steps";

/// A rule that leaves out parameters when it is told to. It wraps a whole rule.
template <class Rule>
class freezable_rule : public wrapped_rule<Rule> {
 public:
  static constexpr std::string_view label = "freezable";
  using wrapped_rule<Rule>::wrapped_rule;

  static constexpr void update(list<rule_context>& parameters) {
    graph& g = *parameters[0].parameter().builder;
    list<value> held, states;
    for (rule_context& c : parameters) {
      held.push(c.counter<frozen_steps_label>());
      states.push(c.state<frozen_label>({}));
      c.leave_out_steps(cast(held[held.size() - 1], element::number));
      c.count_where(states[states.size() - 1] == 0.0);
    }
    const int first = g.effects.size();
    Rule::update(parameters);
    const int last = g.effects.size();
    int parameter = 0;
    for (rule_context& c : parameters) {
      const value state = states[parameter], frozen = state != 0.0;
      for (int i = first; i < last; ++i) {
        const value target{&g, g.effects[i].target}, next{&g, g.effects[i].node};
        if (target.id == c.owned().id || belongs_to(target, c))
          g.effects[i].node = where(frozen, target, next).id;
      }
      const value steps = held[parameter++];
      c.set(steps, c.after_step(steps + cast(frozen, steps.type()), steps));
      c.make_step_where(state == 0.0);
    }
  }

 private:
  static constexpr bool belongs_to(value state, const rule_context& c) {
    return state.is(family::state) && parameter_of_state(state.get()) == parameter_number(c.owned().get());
  }
};

/// The rule, for parameters that a trainer can freeze and thaw between steps: net.freeze<"body.*">(),
/// net.thaw<"body.*">(); where it is an objective's (in_turn), net.freeze<"loss", "body.*">(). A step changes
/// neither a frozen parameter nor its states, and is none of its steps: Adam goes on as if there had been a
/// pause, as PyTorch's does. Nothing is compiled again. Its gradient is computed all the same, but counts for
/// nothing where all of them are looked at, inside of freezable (clip_by_global_norm) or around it
/// (skip_nonfinite, the loss scale of mixed_precision). Which parameters are frozen is a state, and saved
/// with the others. A parameter that is never trained is better left to a partition without a rule for it,
/// which costs nothing.
template <class Rule>
auto freezable(Rule rule) {
  return detail::wrap(std::move(rule), [](auto r) { return freezable_rule<decltype(r)>(std::move(r)); });
}

}  // namespace tapeless
