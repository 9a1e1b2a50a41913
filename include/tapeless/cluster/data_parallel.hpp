// SPDX-License-Identifier: BSL-1.0
// data_parallel(world, rule): several processes train one network, each on a part of every batch.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tapeless/cluster/data_parallel_options.hpp>
#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/sharded_states.hpp>
#include <tapeless/error.hpp>
#include <tapeless/optim/wrappers/gradients.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

namespace detail {

/// How gradients travel between ranks of that kind.
template <class Ranks>
struct travel_of {
  using options = data_parallel_options;
  static process_group& group(Ranks& ranks) { return ranks; }
};

}  // namespace detail

/// A rule whose gradients are those of the samples of all ranks. It wraps a whole rule.
template <class Rule, class Ranks = process_group>
class data_parallel_rule : public wrapped_rule<Rule> {
  using travel = detail::travel_of<Ranks>;

 public:
  static constexpr std::string_view label = "data_parallel";
  static constexpr bool spans_ranks = true;

  data_parallel_rule(Ranks& ranks, Rule rule, const typename travel::options& options)
      : wrapped_rule<Rule>(std::move(rule)), ranks_(&ranks), options_(options) {
    if (options.bucket_bytes && *options.bucket_bytes < 1)
      throw_error({"data_parallel: bucket_bytes is ", *options.bucket_bytes, "; it must be 1 or more"});
  }

  static constexpr void update(list<rule_context>& parameters) { Rule::update(parameters); }

  Ranks& ranks() const { return *ranks_; }
  process_group& group() const { return travel::group(*ranks_); }
  const Rule& inner() const { return this->rule_; }
  /// The same around what `make` makes of the rule inside.
  template <class Make>
  auto around_inner(const Make& make) && {
    return data_parallel(*ranks_, make(std::move(this->rule_)), options_);
  }
  const typename travel::options& options() const { return options_; }

 private:
  Ranks* ranks_;
  typename travel::options options_;
};

namespace detail {

template <class Rule>
constexpr bool looks_for_gradients_itself() {
  if constexpr (finds_gradients_itself<Rule>) {
    return true;
  } else if constexpr (wraps_another<Rule>) {
    return looks_for_gradients_itself<typename Rule::wrapped>();
  } else {
    return false;
  }
}

/// Whether the rule can go by gradients of several ranks; the compiler is stopped where it cannot.
template <class Rule>
constexpr bool can_be_parallel() {
  if constexpr (!is_whole_rule<Rule>()) {
    return false;
  } else {
    constexpr bool steps_aside = looks_for_gradients_itself<Rule>();
    static_assert(
        !steps_aside,
        "tapeless: data_parallel averages the gradients at the parameters, but sharpness_aware takes "
        "a second one elsewhere, where the first one of each rank's own samples leads: leave one of "
        "the two out");
    constexpr bool divides_too_late = divides_states_inside<Rule>();
    static_assert(
        !divides_too_late,
        "tapeless: sharded_states stands directly inside data_parallel, or inside of accumulate there: write "
        "data_parallel(world, sharded_states(lookahead(rule))), not data_parallel(world, "
        "lookahead(sharded_states(rule)))");
    return !steps_aside && !divides_too_late;
  }
}

}  // namespace detail

/// The rule, for processes that train one network together:
///   tl::mpi world(argc, argv);
///   tl::trainer net{model, tl::data_parallel(world, tl::adamw({.learning_rate = 1e-3}))};
/// Each rank computes with samples of its own. Gradients are those of all ranks' samples together, whoever
/// has more of them, before anything of the rule sees them: clip_by_global_norm clips the norm of the whole,
/// accumulate(n, rule) exchanges them once in n steps, a loss scale or skip_nonfinite decides the same
/// everywhere. So all ranks have the same parameters, bit for bit, and runs of as many ranks are equal. What
/// wraps it, accumulate(n, data_parallel(world, rule)), means the same as inside of it, and is of that type.
/// See the trainer for what its calls mean then, and data_parallel_options for how gradients travel.
template <class Rule>
auto data_parallel(process_group& world, Rule rule, const data_parallel_options& options = {}) {
  if constexpr (detail::can_be_parallel<Rule>()) {
    return data_parallel_rule<Rule>(world, std::move(rule), options);
  } else {
    return erroneous{};
  }
}

// Calls that are refused: the two in the other order, and processes without a name.
template <class Rule, std::derived_from<process_group> Ranks>
erroneous data_parallel(const Rule&, const Ranks&, const auto&...) {
  constexpr bool is_rule_first = !std::is_same_v<Rule, Ranks>;
  static_assert(
      !is_rule_first,
      "tapeless: data_parallel takes the processes, then the rule: write data_parallel(world, rule)");
  return {};
}
template <std::derived_from<process_group> Ranks, class Rule>
erroneous data_parallel(const Ranks&&, const Rule&, const auto&...) {
  constexpr bool has_no_name = !std::is_same_v<Rule, Ranks>;
  static_assert(
      !has_no_name,
      "tapeless: data_parallel does not keep the processes, which must live as long as the trainer: "
      "give them a name, tl::mpi world(argc, argv), and write data_parallel(world, rule)");
  return {};
}

}  // namespace tapeless
