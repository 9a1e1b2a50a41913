// SPDX-License-Identifier: BSL-1.0
// in_turn(objective<"discriminator">(which, rule), objective<"generator">(which, rule)): several losses of
// one model, each with parameters and a rule of its own.
#pragma once

#include <array>
#include <tuple>

#include <tapeless/optim/wrappers/parameter_predicate.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

namespace detail {

/// A loss by its output's name, the parameters that it is for, and the rule that changes them.
template <name Label, class P, class Rule>
struct objective_rule {
  static constexpr name label = Label;
  using predicate = P;
  using rule_type = Rule;
  Rule rule;

  static bool is_for(const described_parameter& p) { return P{}(p.label, p.shape.span()); }
};

template <class T>
inline constexpr bool is_objective = false;
template <name Label, class P, class Rule>
inline constexpr bool is_objective<objective_rule<Label, P, Rule>> = true;

template <class O>
struct objective_contract {
  using subject = O;
  static constexpr std::string_view noun = "part of in_turn";
  static constexpr demand demands[1] = {
      {is_objective<O>,
       "a loss, parameters and a rule: write objective<\"loss\">(names_like<\"body.*\">, rule)"},
  };
};

template <class Rule>
constexpr bool waits_for_apply() {
  if constexpr (requires { Rule::accumulates; }) {
    return true;
  } else if constexpr (wraps_another<Rule>) {
    return waits_for_apply<typename Rule::wrapped>();
  } else {
    return false;
  }
}

/// Whether the rule can be an objective's; the compiler is stopped where it cannot.
template <class Rule>
constexpr bool can_be_an_objectives() {
  if constexpr (!is_whole_rule<Rule>()) {
    return false;
  } else {
    constexpr bool collects = waits_for_apply<Rule>(), stores = compute_type_of<Rule>() != element::number;
    static_assert(
        !collects,
        "tapeless: accumulate collects the gradients of one loss: it cannot be an objective's rule");
    static_assert(!stores,
                  "tapeless: mixed_precision stores all parameters of a model in 16 bits: it cannot be the "
                  "rule of one objective");
    return !collects && !stores;
  }
}

}  // namespace detail

/// A loss of a model, the output of that name, the parameters that it changes, and the rule by which:
/// objective<"generator">(names_like<"generator.*">, adam({})). A part of in_turn.
template <name Output, parameter_predicate P, class Rule>
auto objective(P, Rule rule) {
  static_assert(Output.size() > 0, "tapeless: objective<\"...\">: a loss is asked for by its output's name");
  if constexpr (detail::can_be_an_objectives<Rule>()) {
    return detail::objective_rule<Output, P, Rule>{std::move(rule)};
  } else {
    return erroneous{};
  }
}

/// A rule for a trainer of its own, each of whose steps is one of an objective.
template <class... Objectives>
class in_turn_rule {
 public:
  static constexpr bool trains_alone = true;
  static constexpr int hyper_count = (0 + ... + Objectives::rule_type::hyper_count);

  explicit in_turn_rule(Objectives... objectives) : objectives_(std::move(objectives)...) {}

  /// Each has its objective's name before its own, "generator.learning_rate", unless that gets too long.
  static constexpr std::array<name, hyper_count> hyper_names() {
    std::array<name, hyper_count> all{};
    std::size_t n = 0;
    const auto append = [&](name objective, const auto& names) {
      for (const name& one : names) all[n++] = detail::in_group(objective, one);
    };
    (append(Objectives::label, Objectives::rule_type::hyper_names()), ...);
    return all;
  }

  static constexpr auto hyper_ranges() {
    return detail::joined_ranges(detail::ranges_of_rule<typename Objectives::rule_type>()...);
  }

  /// Sets all of that name, of the objective whose name stands before it, or of all.
  void set(std::string_view wanted, const hyperparameter& to) {
    const auto set_in = [&](auto& o) {
      const std::string_view own = o.label.view();
      if (wanted.starts_with(own) && wanted.substr(own.size()).starts_with('.'))
        o.rule.set(wanted.substr(own.size() + 1), to);
      o.rule.set(wanted, to);
    };
    std::apply([&](auto&... o) { (set_in(o), ...); }, objectives_);
  }

  /// Writes the values for a step of each, counted from 0.
  void write(std::int64_t step, array_view<double> values) const {
    std::size_t n = 0;
    const auto write_of = [&](const auto& o) {
      constexpr auto count =
          static_cast<std::size_t>(std::remove_cvref_t<decltype(o)>::rule_type::hyper_count);
      o.rule.write(step, values.subspan(n, count));
      n += count;
    };
    std::apply([&](const auto&... o) { (write_of(o), ...); }, objectives_);
  }

  static constexpr std::string_view label = "in_turn";
  void describe(rule_description& d) const {
    const auto describe_one = [&](const auto& o) {
      d.begin(o.label.view());
      describe_rule(o.rule, d);
      d.end();
      d.add_choice(&std::remove_cvref_t<decltype(o)>::is_for);
    };
    std::apply([&](const auto&... o) { (describe_one(o), ...); }, objectives_);
  }

  const std::tuple<Objectives...>& objectives() const { return objectives_; }

 private:
  std::tuple<Objectives...> objectives_;
};

namespace detail {

/// Whether they are objectives of different names; the compiler is stopped where they are not.
template <class... O>
constexpr bool can_take_turns() {
  if constexpr ((is_erroneous<O> || ...)) {
    return false;
  } else if constexpr (!require_contracts<objective_contract<O>...>()) {
    return false;
  } else {
    constexpr bool differ = [] {
      const std::array<name, sizeof...(O)> names{O::label...};
      for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          if (names[i] == names[k]) return false;
      return true;
    }();
    static_assert(differ, "tapeless: in_turn: two objectives have the same name");
    return differ;
  }
}

}  // namespace detail

/// Several losses of one model, as a GAN or an actor and its critic have them:
///   trainer net{gan, in_turn(objective<"discriminator">(names_like<"discriminator.*">, adam({})),
///                            objective<"generator">(names_like<"generator.*">, adam({})))};
///   net.step<"discriminator">("real"_t = x, "noise"_t = z);
/// A step computes one loss, its gradient by its own parameters, and their update by its own rule. The other
/// parameters stay as they are, and what only other losses need is not computed: the result shows the named
/// outputs that the loss is computed from. Running statistics follow every application of a batch_norm that
/// the loss is computed from, whosever it is. Rules count the steps of their own objective. A parameter may
/// belong to several, which then have states of it each, or to none. It is a rule for a trainer of its own,
/// and no part of chain, accumulate or partition.
template <class... Objectives>
  requires(sizeof...(Objectives) > 0)
auto in_turn(Objectives... objectives) {
  if constexpr (detail::can_take_turns<Objectives...>()) {
    return in_turn_rule<Objectives...>(std::move(objectives)...);
  } else {
    return erroneous{};
  }
}

}  // namespace tapeless
