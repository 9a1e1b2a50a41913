// SPDX-License-Identifier: BSL-1.0
// What a trainer goes by: the contract of update rules, and of what wraps one.
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

/// Whether the rule has a trainer of its own, and can be combined with nothing (lbfgs, in_turn).
template <class Rule>
concept trains_alone = requires { requires Rule::trains_alone; };

/// The contract of an update rule: what changes the parameters in a step. chain(...) makes one of gradient
/// transformations. It has
///   hyper_count                how many hyperparameters
///   hyper_names()              their names; of a partition's groups "GROUP.NAME", of what is there several
///                              times "LABEL.NAME", "LABEL_2.NAME"
///   set(name, value)           from now on, all hyperparameters of that name are this, in whatever group
///   write(step, values) const  writes their numbers in a step, counted from 0
/// and, unless it trains alone,
///   update(contexts)           sets the parameters and states as they are after the step
///   waits_for_all_gradients    whether one parameter's update depends on all gradients
/// It may have
///   hyper_ranges()             an array of the numbers that they may be, where that is not by their names
///   label, describe(d)         what it is called, see describe_rule
///   compute_type               the type in which the model's float values are stored
///   loss_scale(g)              what the loss is multiplied by before the backward pass
///   gradients(g, scale, parameters, gradients)   where the gradients come from, if not from the loss
/// Laws:
///   write fills all values, in the order of hyper_names(), and depends on the step alone;
///   update builds the same graph of the same contexts: the same states in the same order;
///   update gives each parameter one next value at most, and none to what it has no context of.
template <class Rule>
struct rule_contract {
  using subject = Rule;
  static constexpr std::string_view noun = "update rule";
  static constexpr bool counts = requires {
    { Rule::hyper_count } -> std::convertible_to<int>;
  };
  static constexpr bool names = requires {
    { Rule::hyper_names() } -> std::same_as<std::array<name, static_cast<std::size_t>(Rule::hyper_count)>>;
  };
  static constexpr bool sets =
      requires(std::remove_const_t<Rule>& r, std::string_view label, const hyperparameter& to) {
        r.set(label, to);
      };  // a rule's type may be that of a constant
  static constexpr bool writes =
      requires(const Rule& r, std::int64_t step, array_view<double> values) { r.write(step, values); };
  static constexpr bool updates = requires(list<rule_context>& contexts) { Rule::update(contexts); };
  static constexpr bool waits =
      requires { requires std::same_as<const bool, decltype(Rule::waits_for_all_gradients)>; };
  static constexpr demand demands[6] = {
      {counts, "hyper_count, how many hyperparameters it has"},
      {names, "hyper_names(), an array of as many names"},
      {sets, "set(name, hyperparameter)"},
      {writes, "write(step, values) const"},
      {updates || trains_alone<Rule>, "update(contexts), static"},
      {waits || trains_alone<Rule>, "waits_for_all_gradients, a constant bool"},
  };
};
template <class Rule>
concept is_rule = is_kept<rule_contract<Rule>>();

/// What wraps a whole rule and changes its timing, its states or its parameters: an update rule that says
/// which one it wraps, see wrapped_rule.
template <class T>
concept is_optimizer_transformation = requires { typename T::wrapped; } && is_rule<T>;

namespace detail {

/// Whether the rules can be combined with others; the compiler is stopped where they cannot.
template <class... Rules>
constexpr bool can_be_combined() {
  constexpr bool alone = (trains_alone<Rules> || ...);
  static_assert(
      !alone,
      "tapeless: lbfgs is a rule for a trainer of its own, which computes gradients several times in "
      "a step, and so is in_turn, which has several losses: it cannot be a part of chain, accumulate, "
      "partition, ...; write trainer net{model, lbfgs({...})}");
  return !alone && !(is_erroneous<Rules> || ...);
}

/// A rule whose gradients are averaged over several ranks.
template <class Rule>
concept spans_ranks = requires { Rule::spans_ranks; };

/// What `make` returns for the rule. Gradients of several ranks are averaged before any rule sees them, so
/// what wraps data_parallel wraps the rule inside of it, which comes to the same.
template <class Rule, class Make>
auto inside_ranks(Rule rule, const Make& make) {
  if constexpr (spans_ranks<Rule>) {
    return std::move(rule).around_inner(make);
  } else {
    return make(std::move(rule));
  }
}

/// Whether they are rules that a transformation may wrap; the compiler is stopped where they are not.
template <class Rule>
constexpr bool is_whole_rule() {
  if constexpr (is_erroneous<Rule> || trains_alone<Rule>) {
    return can_be_combined<Rule>();
  } else if constexpr (spans_ranks<Rule>) {
    static_assert(!spans_ranks<Rule>,
                  "tapeless: data_parallel averages all gradients of one loss, once: it cannot be inside of "
                  "data_parallel or in_turn; leave it out there");
    return false;
  } else {
    return require_contracts<rule_contract<Rule>>();
  }
}

}  // namespace detail

}  // namespace tapeless
