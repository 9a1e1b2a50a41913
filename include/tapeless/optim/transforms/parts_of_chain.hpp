// SPDX-License-Identifier: BSL-1.0
// What can be a part of a chain, and beside which others.
#pragma once

#include <tapeless/optim/base/update_rule.hpp>

namespace tapeless {

template <class... Transforms>
class chain_rule;

template <class T>
inline constexpr bool is_chain_rule = false;
template <class... Transforms>
inline constexpr bool is_chain_rule<chain_rule<Transforms...>> = true;

namespace detail {

/// Whether it is a gradient transformation or a chain of some; the compiler is stopped where it is neither.
template <class T>
constexpr bool is_part_of_chain() {
  if constexpr (is_chain_rule<T>) {
    return true;
  } else {
    return require_contracts<gradient_transform_contract<T>>();
  }
}

/// How many transformations of a part of a chain turn the gradient into a step down.
template <class T>
inline constexpr int descents = turns_downhill<T> ? 1 : 0;
template <class... T>
inline constexpr int descents<chain_rule<T...>> = [] {
  int count = 0;
  for (const bool one : {false, turns_downhill<T>...}) count += one ? 1 : 0;
  return count;
}();

/// Whether a whole rule is known to go up the gradient: no part of its chain can turn the sign.
template <class Rule>
inline constexpr bool goes_uphill = false;
template <class First, class... More>
inline constexpr bool goes_uphill<chain_rule<First, More...>> = [] {
  for (const bool keeps : {keeps_sign<First>, keeps_sign<More>...})
    if (!keeps) return false;
  return true;
}();
template <class Rule>
  requires requires { typename Rule::wrapped; }
inline constexpr bool goes_uphill<Rule> = goes_uphill<typename Rule::wrapped>;

template <class Rule>
inline constexpr sentence uphill_sentence{
    "no part of this chain turns the gradient's sign, and the loss would grow: the last one is "
    "tl::scale_by_learning_rate(0.1), or tl::scale(0.1) where the loss is to grow"};

/// Stops the compiler where the rule goes up the gradient.
template <class Rule, bool Uphill = goes_uphill<Rule>>
struct direction_report {};
template <class Rule>
struct direction_report<Rule, true> : error_report<uphill_sentence<Rule>> {};

/// Whether all can be parts of a chain; the compiler is stopped where they cannot.
template <class... T>
constexpr bool can_be_chained() {
  constexpr bool averages_inside = (spans_ranks<T> || ...);
  static_assert(!averages_inside,
                "tapeless: what stands before data_parallel in a chain would change each rank's own "
                "gradient, and their "
                "average would depend on who has which samples: write data_parallel(world, "
                "chain(clip_by_global_norm(1), rule)), which clips the average");
  constexpr bool wraps = !averages_inside && (is_optimizer_transformation<T> || ...);
  static_assert(
      !wraps,
      "tapeless: an optimizer transformation (accumulate, mixed_precision, ...) wraps a whole rule, and "
      "cannot be a part of chain: write accumulate(n, chain(...))");
  constexpr bool turns_twice = (0 + ... + descents<T>) > 1;
  static_assert(
      !turns_twice,
      "tapeless: two parts of this chain turn the gradient's sign, as whole rules and "
      "scale_by_learning_rate do: it goes up the gradient. A whole rule, or scale_by_learning_rate, is "
      "the last of a chain, behind transformations such as scale_by_adam(); a factor alone is "
      "tl::scale(0.1), and rules for different parameters are a partition");
  if constexpr (!can_be_combined<T...>() || wraps || averages_inside || turns_twice) {
    return false;
  } else {
    return (is_part_of_chain<T>() && ...);
  }
}

}  // namespace detail

}  // namespace tapeless
