// SPDX-License-Identifier: BSL-1.0
// states_as<T>(rule): a rule's states in 16 bits, where memory is scarce.
#pragma once

#include <tapeless/optim/base/name_pattern.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

/// A rule whose states are stored as T. It wraps a whole rule.
template <element_type T, class Rule, name... Patterns>
class states_as_rule : public wrapped_rule<Rule> {
 public:
  static constexpr element stored = element_of<T>;
  static constexpr std::string_view label = stored == element::bf16 ? "states_as<bf16>" : "states_as<f16>";
  using wrapped_rule<Rule>::wrapped_rule;

  static constexpr void update(list<rule_context>& parameters) {
    for (rule_context& c : parameters) c.begin_storing(&stored_type);
    Rule::update(parameters);
    for (rule_context& c : parameters) c.end_storing();
  }

 private:
  // One number counts steps, or sums something up: it stays as it is.
  static constexpr element stored_type(const name& state, const shape_list& shape, element type) {
    const bool fits = sizeof...(Patterns) == 0 || (detail::fits(Patterns.view(), state.view()) || ...);
    return fits && shape.rank > 0 && type == element::f32 ? stored : type;
  }
};

/// The rule, whose states, where they are float and not single numbers, are kept in 16 bits: all of them, or
/// those whose names fit one of the patterns: states_as<tl::bf16, "adam.mu">(tl::adam({..})). What is
/// computed of them is computed in float, and rounded to the nearest number where it is stored. Of one
/// states_as in another, both say what they name, and the inner one what both do. States of what stands
/// around it, as of average(states_as<bf16>(rule)), stay as they are.
///
/// The error: at most 2^-8 of each stored value for bf16, which has float's range, and 2^-11 for f16 between
/// 6.1e-5 and 65504. Below, f16 is within 3e-8. What is less than that becomes zero, as squares of gradients
/// below 1.7e-4 do. A running mean moves only by more than half of the distance to the next number: with a
/// decay above 0.996 one in bf16 stops fading, with one above 0.9995 one in f16. So bf16 suits first moments,
/// "adam.mu", as mu_dtype does in optax; for second moments in bf16 give a beta2 of at most 0.99.
template <element_type T, name... Patterns, class Rule>
auto states_as(Rule rule) {
  static_assert(is_half(element_of<T>),
                "tapeless: states_as<T> keeps a rule's states in 16 bits: T is tl::bf16 or tl::f16");
  if constexpr (is_half(element_of<T>)) {
    return detail::wrap(std::move(rule),
                        [](auto r) { return states_as_rule<T, decltype(r), Patterns...>(std::move(r)); });
  } else {
    return erroneous{};
  }
}

}  // namespace tapeless
