// SPDX-License-Identifier: BSL-1.0
// skip_nonfinite(rule): a step whose gradients are not all finite changes nothing.
#pragma once

#include <tapeless/ops/reduction_options.hpp>
#include <tapeless/optim/chain.hpp>

namespace tapeless {

/// A rule that is put off where a gradient is infinite or NaN. It wraps a whole rule.
template <class Rule>
class skip_nonfinite_rule {
 public:
  static constexpr bool waits_for_all_gradients = true;
  static constexpr int hyper_count = Rule::hyper_count;

  explicit skip_nonfinite_rule(Rule rule) : rule_(std::move(rule)) {}

  static constexpr void update(list<rule_context>& parameters) {
    value most;
    for (const rule_context& c : parameters) {
      const value g = c.update(), all = max_reduction_rule::build(abs(g), (1u << g.rank()) - 1, false);
      const value own = cast(all, element::number);
      most = most.exists() ? max(most, own) : own;
    }
    const value finite = most < infinity;
    const value skipped = parameters[0].template shared_state<"skip_nonfinite.skipped">();
    // The steps that the rule counts are those that were done.
    for (rule_context& c : parameters) c.set_step(c.step() - cast(skipped, element::number));
    graph& g = *most.owner;
    const int first = g.effects.size();
    Rule::update(parameters);
    for (int i = first; i < g.effects.size(); ++i) {
      const value target{&g, g.effects[i].target}, next{&g, g.effects[i].node};
      g.effects[i].node = where(finite, next, target).id;
    }
    parameters[0].set(skipped, where(finite, skipped, skipped + 1.0));
  }

  static constexpr auto hyper_names() { return Rule::hyper_names(); }
  void set(std::string_view label, const hyperparameter& to) { rule_.set(label, to); }
  void write(std::int64_t step, std::span<double> values) const { rule_.write(step, values); }

 private:
  Rule rule_;
};

template <class T>
inline constexpr bool is_optimizer_transformation<skip_nonfinite_rule<T>> = true;

/// The rule, where all gradients are finite. A step with an infinite or NaN gradient changes no parameter and
/// no state of the rule, and is not counted as one of its steps (schedules and trainer::steps() do count it).
/// How many were skipped is the state skip_nonfinite.skipped. What the model changes itself, such as running
/// statistics, is not put off.
template <class Rule>
  requires(is_rule<Rule>)
auto skip_nonfinite(Rule rule) {
  static_assert(
      !requires { Rule::accumulates; },
      "tapeless: skip_nonfinite wraps the rule that accumulate wraps: write accumulate(n, "
      "skip_nonfinite(rule))");
  return skip_nonfinite_rule<Rule>(std::move(rule));
}

}  // namespace tapeless
