// SPDX-License-Identifier: BSL-1.0
// skip_nonfinite(rule): a step whose gradients are not all finite changes nothing.
#pragma once

#include <tapeless/optim/wrappers/finite.hpp>

namespace tapeless {

/// A rule that is put off where a gradient is infinite or NaN. It wraps a whole rule.
template <class Rule>
class skip_nonfinite_rule : public wrapped_rule<Rule> {
 public:
  static constexpr std::string_view label = "skip_nonfinite";
  static constexpr bool waits_for_all_gradients = true;
  using wrapped_rule<Rule>::wrapped_rule;

  static constexpr void update(list<rule_context>& parameters) {
    detail::update_where_finite<Rule, "skip_nonfinite.skipped">(parameters);
  }
};

/// The rule, where all gradients are finite. A step with an infinite or NaN gradient changes no parameter and
/// no state of the rule. It is not counted as one of the rule's steps (schedules and trainer::steps() do
/// count it). How many were skipped is the state skip_nonfinite.skipped. What the model changes itself, such
/// as running statistics, is not put off.
template <class Rule>
auto skip_nonfinite(Rule rule) {
  return detail::wrap(std::move(rule), [](auto r) { return skip_nonfinite_rule<decltype(r)>(std::move(r)); });
}

}  // namespace tapeless
