// SPDX-License-Identifier: BSL-1.0
// accumulate(n, rule): one update for n steps, from the gradients of all of them.
#pragma once

#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

/// How the gradients of several steps become one.
enum class accumulation { mean, sum };

template <class Rule>
auto accumulate(int n, Rule rule, accumulation how = accumulation::mean);

/// A rule whose updates wait for several steps. It wraps a whole rule.
template <class Rule>
class accumulate_rule : public wrapped_rule<Rule> {
 public:
  static constexpr std::string_view label = "accumulate";
  static constexpr bool accumulates = true;

  accumulate_rule(int steps, Rule rule, accumulation how)
      : wrapped_rule<Rule>(std::move(rule)), steps_(steps), how_(how) {
    if (steps < 1) throw_error("accumulate(" + std::to_string(steps) + ", rule): it takes 1 step or more");
  }

  static constexpr void update(list<rule_context>& parameters) { Rule::update(parameters); }

  const Rule& inner() const { return this->rule_; }
  /// The same around what `make` makes of the rule inside.
  template <class Make>
  auto around_inner(const Make& make) && {
    return accumulate(steps_, make(std::move(this->rule_)), how_);
  }

  int steps() const { return steps_; }
  /// What each step's gradient counts in the sum.
  double weight() const { return how_ == accumulation::mean ? 1.0 / steps_ : 1.0; }

 private:
  int steps_;
  accumulation how_;
};

/// The rule, applied once in n steps to the mean (or sum) of their gradients. The steps in between change no
/// parameter and no state, and do not count for schedules. Throws an error where n is below 1.
template <class Rule>
auto accumulate(int n, Rule rule, accumulation how) {
  return detail::inside_ranks(std::move(rule), [&](auto r) {
    if constexpr (detail::is_whole_rule<decltype(r)>()) {
      return accumulate_rule<decltype(r)>(n, std::move(r), how);
    } else {
      return erroneous{};
    }
  });
}

}  // namespace tapeless
