// SPDX-License-Identifier: BSL-1.0
// masked(t, which), partition(for_parameters(which, rule), ..., rest): transformations for some parameters
// only, chosen while compiling. The hyperparameters of a partition's groups have names of their own.
#pragma once

#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>

#include <tapeless/graph/structural/left_alone.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale.hpp>
#include <tapeless/optim/wrappers/parameter_predicate.hpp>

namespace tapeless {

namespace detail {

/// Whether P, and the transformation where it is masked itself, choose the parameter.
template <class P, class Transform>
bool chooses_described(const described_parameter& p) {
  if constexpr (requires { Transform::is_for(p); }) {
    if (!Transform::is_for(p)) return false;
  }
  return P{}(p.label, p.shape.span());
}

/// Fails where P chooses none of the parameters of the parameter's graph.
template <class P>
constexpr void check_choice(value parameter) {
  for (const node& n : parameter.builder->nodes)
    if (is_trained(n) && chooses<P>(n)) return;
  parameter.fail(
      no_choice<P>(text() << "a rule for some parameters only (masked, partition) is for no parameter at all",
                   *parameter.builder));
}

/// What belongs to a transformation's hyperparameters where P chooses the parameters of a partition's group:
/// their names begin with the group's, "decoder.learning_rate", and mean what they mean without it. A name
/// that gets too long stays as it is.
template <class Transform, class P>
struct masked_hyperparameters : Transform {};
template <class Transform, class P>
  requires requires { P::hyperparameters_group; }
struct masked_hyperparameters<Transform, P> : Transform {
  static constexpr std::size_t count = Transform::hyper_names.size();
  static constexpr auto hyper_names = [] {
    std::array<name, count> all = Transform::hyper_names;
    for (name& n : all) n = in_group(P::hyperparameters_group, n);
    return all;
  }();
  static constexpr auto hyper_ranges = ranges_of_hypers<Transform>();
};

template <class Transform, class P>
struct masked_choice : masked_hyperparameters<Transform, P> {
  static constexpr bool descends = false;  // only for some parameters
  static bool is_for(const described_parameter& p) { return chooses_described<P, Transform>(p); }
  static constexpr void check(value parameter) {
    if constexpr (!requires { P::may_be_empty; }) check_choice<P>(parameter);
  }
};

/// Transform for the parameters that P chooses; the others' gradients go through as they are.
template <class Transform, class P, bool All = needs_all_gradients<Transform>>
struct masked_transform : masked_choice<Transform, P> {
  static constexpr bool leaves_out(const node& n) {
    return chooses<P>(n) && detail::leaves_out<Transform>(n);
  }
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    return chooses<P>(c.owned().get()) ? Transform::transform(c, g) : g;
  }
};
template <class Transform, class P>
struct masked_transform<Transform, P, true> : masked_choice<Transform, P> {
  static constexpr void transform_all(list<rule_context>& parameters) {
    transform_some<Transform>(parameters, &chooses<P>);
  }
};

template <class P, class Transform>
masked_transform<Transform, P> mask(const Transform& t) {
  return {{{t}}};
}
template <class P, class... Transforms>
auto masked_chain(const chain_rule<Transforms...>& rule) {
  return rule.call(
      [](const Transforms&... t) { return chain_rule<masked_transform<Transforms, P>...>(mask<P>(t)...); });
}

template <class P, class Rule>
struct rule_for_parameters {
  Rule rule;
};

template <class T>
inline constexpr bool is_rule_for_parameters = false;
template <class P, class Rule>
inline constexpr bool is_rule_for_parameters<rule_for_parameters<P, Rule>> = true;

/// What a rule for some parameters only is made of.
template <class Rule>
struct chained_contract {
  using subject = Rule;
  static constexpr std::string_view noun = "rule for some parameters only";
  static constexpr demand demands[1] = {
      {is_chain_rule<Rule> || is_rule_for_parameters<Rule>,
       "the gradient transformations that a rule is made of: write chain(t)"},
  };
};

/// Whether none of them wraps a whole rule; the compiler is stopped where one does.
template <class... T>
constexpr bool need_no_wrapper() {
  constexpr bool wraps = (is_optimizer_transformation<T> || ...);
  static_assert(
      !wraps,
      "tapeless: an optimizer transformation (accumulate, mixed_precision, ...) wraps a whole rule, "
      "and cannot be for some parameters only: write accumulate(n, partition(...))");
  return !wraps && can_be_combined<T...>();
}
/// Whether all can be parts of a partition; the compiler is stopped where they cannot.
template <class... Rules>
constexpr bool can_be_partitioned() {
  if constexpr (!need_no_wrapper<Rules...>()) {
    return false;
  } else {
    return require_contracts<chained_contract<Rules>...>();
  }
}

template <class... Choices>
struct choice_list {};

/// What the groups of a partition choose, and then what is left, after Choices; those have chosen Before.
template <class Choices, class Before, class... Rules>
struct choices_of_partition;
template <class... Choices, class... Before, class P, class Rule, class... More>
struct choices_of_partition<choice_list<Choices...>, choice_list<Before...>, rule_for_parameters<P, Rule>,
                            More...>
    : choices_of_partition<choice_list<Choices..., chosen_by<P, Before...>>,
                           choice_list<chosen_by_any<Before..., P>>, More...> {};
template <class... Choices, class... Before, class... Rest>
  requires(sizeof...(Rest) <= 1)
struct choices_of_partition<choice_list<Choices...>, choice_list<Before...>, Rest...> {
  using type = choice_list<Choices..., rest_of<Before...>>;
  static constexpr bool have_rule_for_rest = sizeof...(Rest) == 1;
};

template <class P, class Rule>
const Rule& rule_of_group(const rule_for_parameters<P, Rule>& group) {
  return group.rule;
}
template <class... Transforms>
const chain_rule<Transforms...>& rule_of_group(const chain_rule<Transforms...>& rest) {
  return rest;
}

template <class... Choices, class... Rules>
auto partitioned(choice_list<Choices...>, const Rules&... rules) {
  return chain(masked_chain<Choices>(rule_of_group(rules))...);
}

}  // namespace detail

/// The transformation, or chain of them, for the parameters that `which` chooses; the others' gradients go
/// through as they are. No weight decay on biases and norms: masked(add_decayed_weights(1e-4f), matrices). By
/// name: names_like<"*.weight">; otherwise a lambda: [](std::string_view name, std::span<const std::int64_t>
/// shape) { return ...; }. It is an error if no parameter is chosen.
template <class T, parameter_predicate P>
auto masked(T t, P) {
  if constexpr (!detail::need_no_wrapper<T>()) {
    return erroneous{};
  } else if constexpr (!detail::is_part_of_chain<T>()) {
    return erroneous{};
  } else if constexpr (is_chain_rule<T>) {
    return detail::masked_chain<P>(t);
  } else {
    return detail::mask<P>(t);
  }
}

/// One of the rules of a partition. A group's hyperparameters have the group's name before their own:
/// for_parameters(names_like<"decoder.*">, adam({})) is set by net.set<"decoder.*.learning_rate">(1e-4);
/// for_parameters(matrices, ...) has the name "matrices", the rest "rest".
template <parameter_predicate P, class Rule>
auto for_parameters(P, Rule rule) {
  if constexpr (detail::can_be_partitioned<Rule>()) {
    return detail::rule_for_parameters<P, Rule>{std::move(rule)};
  } else {
    return erroneous{};
  }
}
/// The same as a group of another name: for_parameters<"decoder">(which, adam({})) is set by
/// net.set<"decoder.learning_rate">(1e-4).
template <name Group, parameter_predicate P, class Rule>
auto for_parameters(P, Rule rule) {
  return for_parameters(detail::named_group<Group, P>{}, std::move(rule));
}

/// Refuses what chooses no parameters.
template <class P, class Rule>
erroneous for_parameters(P, Rule) {
  static_assert(
      std::is_void_v<P>,
      "tapeless: which parameters a rule is for is said by patterns of their names, or by a lambda: "
      "tl::for_parameters(tl::names_like<\"fc.*\">, rule)");
  return {};
}
template <class T, class P>
erroneous masked(T, P) {
  static_assert(std::is_void_v<P>,
                "tapeless: which parameters are meant is said by patterns of their names, or by a lambda: "
                "tl::masked(t, tl::names_like<\"*.weight\">)");
  return {};
}

/// A rule of several: partition(for_parameters(matrices, muon({})), adamw({})). Each parameter has the first
/// rule that is for it, the last rule has the rest. A rule that looks at all gradients sees those of its own
/// parameters. Where even the last rule is for some only, the other parameters stay as they are, except for
/// running statistics. A hyperparameter's name alone, net.set<"learning_rate">(1e-4), means that of all
/// groups.
template <class... Rules>
auto partition(const Rules&... rules) {
  if constexpr (sizeof...(Rules) == 0) {
    return chain();
  } else if constexpr (detail::can_be_partitioned<Rules...>()) {
    using choices = detail::choices_of_partition<detail::choice_list<>, detail::choice_list<>, Rules...>;
    constexpr typename choices::type all;
    if constexpr (choices::have_rule_for_rest) {
      return detail::partitioned(all, rules...);
    } else {
      return detail::partitioned(all, rules..., chain(set_to_zero_transform{}));
    }
  } else {
    return erroneous{};
  }
}

}  // namespace tapeless
