// SPDX-License-Identifier: BSL-1.0
// average(rule), average_equally(rule): a mean of the parameters as they were, to use the model with.
#pragma once

#include <tapeless/ops/pointwise/mod.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

struct average_options {
  hyperparameter decay = 0.999;
};

/// A rule that keeps running means of its parameters. It wraps a whole rule.
template <class Rule>
class average_rule : public wrapped_rule<Rule, "average_decay"> {
  using base = wrapped_rule<Rule, "average_decay">;

 public:
  static constexpr std::string_view label = "average";
  using base::base;

  static constexpr void update(list<rule_context>& parameters) {
    const int first = parameters[0].parameter().builder->effects.size();
    Rule::update(parameters);
    for (rule_context& c : parameters) {
      const value mean = c.state<"average">(), next = detail::next_value(c.parameter(), first);
      const value decay = where(c.step() == 1.0, 0.0, base::own_hyper(c, 0));
      c.set(mean, c.after_step(decay * mean + (1.0 - decay) * next, mean));
      c.set_averaged(where(c.step() >= 1.0, mean, c.parameter()));
    }
  }
};

/// The rule, with average = decay * average + (1 - decay) * parameter after each step; after the first one
/// it is the parameter (Polyak and Juditsky, 1992; as PyTorch's AveragedModel). averaged_weights() of the
/// trainer uses the model with it. One state, average, for each parameter.
template <class Rule, class Options = average_options>
auto average(Rule rule, Options given = {}) {
  auto& o = detail::given_options<average_options>(given);
  return detail::wrap(std::move(rule),
                      [&](auto r) { return average_rule<decltype(r)>(std::move(r), {std::move(o.decay)}); });
}

struct average_equally_options {
  hyperparameter start = 0;   ///< the steps before the first that counts
  hyperparameter period = 1;  ///< each so many steps one counts
};

/// A rule that keeps the means of its parameters after some of the steps. It wraps a whole rule.
template <class Rule>
class average_equally_rule : public wrapped_rule<Rule, "average_start", "average_period"> {
  using base = wrapped_rule<Rule, "average_start", "average_period">;

 public:
  static constexpr std::string_view label = "average_equally";
  using base::base;

  static constexpr void update(list<rule_context>& parameters) {
    const int first = parameters[0].parameter().builder->effects.size();
    Rule::update(parameters);
    for (rule_context& c : parameters) {
      const value after = c.step() - base::own_hyper(c, 0);
      const value counts = after > 0.0 && mod(after - 1.0, base::own_hyper(c, 1)) == 0.0;
      const value mean = c.state<"average">(), next = detail::next_value(c.parameter(), first);
      const value kept = c.counter<"average.count">(), count = cast(kept, element::number);
      c.set(mean, c.after_step(where(counts, mean + (next - mean) / (count + 1.0), mean), mean));
      c.set(kept, c.after_step(where(counts, kept + 1.0, kept), kept));
      c.set_averaged(where(count > 0.0, mean, c.parameter()));
    }
  }
};

/// The rule, with the plain mean of the parameters after steps start + 1, start + 1 + period, ...: stochastic
/// weight averaging (Izmailov et al., 2018). averaged_weights() of the trainer uses the model with it; as
/// long as no step counts, with the parameters as they are. Steps are the parameter's own: what is skipped,
/// or made while it is frozen, is none. One state, average, and a number for each parameter.
template <class Rule, class Options = average_equally_options>
auto average_equally(Rule rule, Options given = {}) {
  auto& o = detail::given_options<average_equally_options>(given);
  return detail::wrap(std::move(rule), [&](auto r) {
    return average_equally_rule<decltype(r)>(std::move(r), {std::move(o.start), std::move(o.period)});
  });
}

}  // namespace tapeless
