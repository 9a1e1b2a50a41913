// SPDX-License-Identifier: BSL-1.0
// sharded_states(rule): the optimizer's states divided among the ranks.
#pragma once

#include <memory>
#include <utility>

#include <tapeless/cluster/state_division.hpp>
#include <tapeless/optim/wrappers/accumulate.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

/// A rule each of whose states is on one rank. A file does not tell it from the rule that it wraps.
template <class Rule>
class sharded_states_rule : public wrapped_rule<Rule> {
 public:
  static constexpr bool divides_states = true;
  using wrapped_rule<Rule>::wrapped_rule;

  static constexpr void update(list<rule_context>& parameters) { Rule::update(parameters); }

  /// What the other ranks of a group do; null before that is known: all is here.
  const detail::state_division* others() const { return division_.get(); }
  /// This rule on one of so many ranks.
  sharded_states_rule divided(array_view<const parameter_description> parameters,
                              array_view<const state_description> states, int rank, int size) const {
    sharded_states_rule r = *this;
    if (size > 1) r.division_ = std::make_shared<detail::state_division>(parameters, states, rank, size);
    return r;
  }

 private:
  std::shared_ptr<const detail::state_division> division_;
};

namespace detail {

template <class Rule>
inline constexpr bool divides_states = requires { Rule::divides_states; };
template <class Rule>
inline constexpr bool divides_states<accumulate_rule<Rule>> = divides_states<Rule>;

/// Whether the states are divided further inside, where nobody looks for it.
template <class Rule>
constexpr bool divides_states_inside() {
  if constexpr (wraps_another<Rule>) {
    constexpr bool is_looked_at = requires { Rule::accumulates; };
    return (divides_states<typename Rule::wrapped> && !is_looked_at) ||
           divides_states_inside<typename Rule::wrapped>();
  } else {
    return false;
  }
}

/// The rule of one of so many ranks, see sharded_states_rule.
template <class Rule>
Rule divided_rule(const Rule& rule, array_view<const parameter_description> parameters,
                  array_view<const state_description> states, int rank, int size) {
  if constexpr (requires { Rule::accumulates; }) {
    return Rule(rule).around_inner(
        [&](const auto& inner) { return divided_rule(inner, parameters, states, rank, size); });
  } else {
    return rule.divided(parameters, states, rank, size);
  }
}

}  // namespace detail

/// The rule, whose states (moments, float copies) are divided among the ranks of data_parallel, by parameter
/// (ZeRO, stage 1; Rajbhandari et al., 2020): each rank keeps those of its own parameters, computes their
/// update, and gives it to the others. The numbers are those of the rule without it, bit for bit. It stands
/// directly inside, or inside of accumulate, and means the same around it: data_parallel(world,
/// sharded_states(adamw({...}))), data_parallel(world, accumulate(4, sharded_states(...))). A state is read
/// where it is (net.state throws elsewhere); a checkpoint has all of them, and is written and read by all
/// ranks together. Runs on tl::cpu and tl::cuda.
template <class Rule>
auto sharded_states(Rule rule) {
  return detail::inside_ranks(std::move(rule), [](auto r) {
    if constexpr (requires { decltype(r)::accumulates; }) {
      return std::move(r).around_inner([](auto inner) { return sharded_states(std::move(inner)); });
    } else if constexpr (detail::is_whole_rule<decltype(r)>()) {
      return sharded_states_rule<decltype(r)>(std::move(r));
    } else {
      return erroneous{};
    }
  });
}

}  // namespace tapeless
