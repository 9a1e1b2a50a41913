// SPDX-License-Identifier: BSL-1.0
// lookahead(rule): slow weights that follow the rule's from time to time.
#pragma once

#include <tapeless/ops/pointwise/mod.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

struct lookahead_options {
  hyperparameter sync_period = 6;
  hyperparameter slow_step_size = 0.5;
};

/// A rule whose parameters return to slower ones. It wraps a whole rule.
template <class Rule>
class lookahead_rule : public wrapped_rule<Rule, "sync_period", "slow_step_size"> {
  using base = wrapped_rule<Rule, "sync_period", "slow_step_size">;

 public:
  static constexpr std::string_view label = "lookahead";
  using base::base;

  static constexpr void update(list<rule_context>& parameters) {
    const int first = parameters[0].parameter().builder->effects.size();
    Rule::update(parameters);
    for (rule_context& c : parameters) {
      const value p = c.parameter(), fast = detail::next_value(p, first);
      const value kept = c.state<"lookahead.slow">(), slow = where(c.step() == 1.0, p, kept);
      const value synchronizes = mod(c.step(), base::own_hyper(c, 0)) == 0.0;
      const value next = where(synchronizes, slow + base::own_hyper(c, 1) * (fast - slow), slow);
      detail::replace_next(p, first, c.after_step(where(synchronizes, next, fast), fast));
      c.set(kept, c.after_step(next, kept));
      c.set_averaged(where(c.step() >= 1.0, kept, p));
    }
  }
};

/// Each sync_period steps of the rule, slow += slow_step_size * (parameter - slow) and parameter = slow
/// (Zhang, Lucas, Hinton and Ba, 2019). The slow weights are the state lookahead.slow, which starts as the
/// parameter; averaged_weights() of the trainer has them. Steps are the parameter's own: what is skipped, or
/// made while it is frozen, is none. One state for each parameter.
template <class Rule, class Options = lookahead_options>
auto lookahead(Rule rule, Options given = {}) {
  auto& o = detail::given_options<lookahead_options>(given);
  return detail::wrap(std::move(rule), [&](auto r) {
    return lookahead_rule<decltype(r)>(std::move(r), {std::move(o.sync_period), std::move(o.slow_step_size)});
  });
}

}  // namespace tapeless
