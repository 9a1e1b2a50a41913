// SPDX-License-Identifier: BSL-1.0
// accumulate(n, rule): one update for n steps, from the gradients of all of them.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/optim/chain.hpp>

namespace tapeless {

/// How the gradients of several steps become one.
enum class accumulation { mean, sum };

/// A rule whose updates wait for several steps. It wraps a whole rule.
template <class Rule>
class accumulate_rule {
 public:
  static constexpr bool accumulates = true;
  static constexpr bool waits_for_all_gradients = Rule::waits_for_all_gradients;
  static constexpr int hyper_count = Rule::hyper_count;

  accumulate_rule(int steps, Rule rule, accumulation how) : steps_(steps), rule_(std::move(rule)), how_(how) {
    if (steps < 1) throw error("accumulate(" + std::to_string(steps) + ", rule): it takes 1 step or more");
  }

  static constexpr void update(list<rule_context>& parameters) { Rule::update(parameters); }
  static constexpr auto hyper_names() { return Rule::hyper_names(); }
  void set(std::string_view label, const hyperparameter& to) { rule_.set(label, to); }
  void write(std::int64_t step, std::span<double> values) const { rule_.write(step, values); }

  int steps() const { return steps_; }
  /// What each step's gradient counts in the sum.
  double weight() const { return how_ == accumulation::mean ? 1.0 / steps_ : 1.0; }

 private:
  int steps_;
  Rule rule_;
  accumulation how_;
};

template <class T>
inline constexpr bool is_optimizer_transformation<accumulate_rule<T>> = true;

/// The rule, applied once in n steps to the mean (or sum) of their gradients. The steps in between change no
/// parameter and no state, and do not count for schedules. Throws an error where n is below 1.
template <class Rule>
  requires(is_rule<Rule>)
auto accumulate(int n, Rule rule, accumulation how = accumulation::mean) {
  return accumulate_rule<Rule>(n, std::move(rule), how);
}

}  // namespace tapeless
