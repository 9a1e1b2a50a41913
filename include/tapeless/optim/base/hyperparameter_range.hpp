// SPDX-License-Identifier: BSL-1.0
// Which numbers a hyperparameter may be, by its name.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

namespace detail {

/// Whether a hyperparameter was set to x: NaN stands for one that was not. By its bits, since with
/// -ffast-math compilers take it that no number is NaN.
constexpr bool is_set(double x) { return std::bit_cast<std::uint64_t>(x) << 1 <= 0xffe0000000000000u; }

}  // namespace detail

/// The numbers from `least` to `most`, both included; never NaN.
struct hyperparameter_range {
  double least = 0, most = 0;

  constexpr bool holds(double x) const { return x >= least && x <= most; }
};

namespace ranges {

namespace detail {
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double largest = std::numeric_limits<double>::max();
inline constexpr double above_zero = std::numeric_limits<double>::denorm_min();
inline constexpr double below_one = 0x1.fffffffffffffp-1;
}  // namespace detail

inline constexpr hyperparameter_range any{-detail::infinity, detail::infinity};
inline constexpr hyperparameter_range finite{-detail::largest, detail::largest};
inline constexpr hyperparameter_range not_negative{0, detail::largest};
inline constexpr hyperparameter_range positive{detail::above_zero, detail::largest};
inline constexpr hyperparameter_range limit{0, detail::infinity};  // infinity: none
inline constexpr hyperparameter_range count{1, detail::largest};
inline constexpr hyperparameter_range share{0, 1};
inline constexpr hyperparameter_range positive_share{detail::above_zero, 1};
inline constexpr hyperparameter_range decay{0, detail::below_one};  // what forgets

}  // namespace ranges

namespace detail {

struct named_range {
  std::string_view label;
  hyperparameter_range range;
};

/// Names mean the same in all rules; the few transformations where one means something else have hyper_ranges
/// of their own.
inline constexpr named_range ranges_by_name[] = {
    {"learning_rate", ranges::not_negative},
    {"weight_decay", ranges::not_negative},
    {"learning_rate_decay", ranges::not_negative},
    {"epsilon", ranges::not_negative},
    {"beta1", ranges::decay},
    {"beta2", ranges::decay},
    {"beta3", ranges::decay},
    {"decay", ranges::decay},
    {"rho", ranges::decay},
    {"momentum", ranges::share},
    {"dampening", ranges::share},
    {"momentum_decay", ranges::not_negative},
    {"initial_accumulator", ranges::not_negative},
    {"clip", ranges::positive},
    {"min_scale", ranges::not_negative},
    {"max_ratio", ranges::limit},
    {"max_norm", ranges::limit},
    {"max_value", ranges::limit},
    {"eta", ranges::not_negative},
    {"gamma", ranges::not_negative},
    {"lambda", ranges::not_negative},
    {"alpha", ranges::not_negative},
    {"start", ranges::limit},
    {"scale", ranges::not_negative},
    {"period", ranges::count},
    {"growth", ranges::positive},
    {"factor", ranges::finite},
    {"first_distance", ranges::positive},
    {"shrink", ranges::positive_share},
    {"grow", ranges::count},
    {"min_step", ranges::not_negative},
    {"max_step", ranges::limit},
    {"trust_coefficient", ranges::not_negative},
    {"threshold", {4, ranges::detail::infinity}},
    {"weight_power", ranges::not_negative},
    {"update_period", ranges::count},
    {"sync_period", ranges::count},
    {"slow_step_size", ranges::share},
    {"average_decay", ranges::share},
    {"average_start", ranges::limit},
    {"average_period", ranges::count},
    {"loss_scale", ranges::positive},
    {"growth_interval", ranges::count},
    {"radius", ranges::not_negative},
};

/// Of other names, such as those of a user's own transformation, nothing is known but that they are numbers.
TAPELESS_SELDOM constexpr hyperparameter_range range_by_name(std::string_view label) {
  for (const named_range& r : ranges_by_name)
    if (r.label == label) return r.range;
  return ranges::any;
}

/// The ranges in these arrays, first to last.
template <std::size_t... N>
constexpr auto joined_ranges(const std::array<hyperparameter_range, N>&... arrays) {
  constexpr std::size_t count = [] {
    std::size_t sum = 0;
    for (const std::size_t one : {std::size_t{0}, N...}) sum += one;
    return sum;
  }();
  std::array<hyperparameter_range, count> all{};
  std::size_t n = 0;
  const auto append = [&](const auto& ranges) {
    for (const hyperparameter_range& one : ranges) all[n++] = one;
  };
  [[maybe_unused]] const int done[] = {0, (append(arrays), 0)...};
  return all;
}

/// The ranges of hyperparameters of these names.
template <class Names>
constexpr auto ranges_of_names(const Names& names) {
  std::array<hyperparameter_range, std::tuple_size_v<Names>> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = range_by_name(names[i].view());
  return all;
}
/// The ranges of a transformation's hyperparameters: its own, or those of the names.
template <class Transform>
constexpr auto ranges_of_hypers() {
  if constexpr (requires { Transform::hyper_ranges; }) {
    return Transform::hyper_ranges;
  } else {
    return ranges_of_names(Transform::hyper_names);
  }
}
/// The same of a rule's, in its own order.
template <class Rule>
constexpr auto ranges_of_rule() {
  if constexpr (requires { Rule::hyper_ranges(); }) {
    return Rule::hyper_ranges();
  } else {
    return ranges_of_names(Rule::hyper_names());
  }
}

/// A number's digits, as few as it takes.
struct number_text {
  char digits[32];
  TAPELESS_COLD explicit number_text(double x) { std::snprintf(digits, sizeof digits, "%.9g", x); }
};

/// "0 or more, and below 1".
TAPELESS_COLD inline std::string range_text(const hyperparameter_range& r) {
  namespace ends = ranges::detail;
  const bool from = r.least >= -ends::largest && r.least != -ends::largest, to = r.most <= ends::largest;
  const number_text least(r.least), most(r.most);
  const bool above = r.least == ends::above_zero, exact = r.most > ends::below_one && r.most < ends::largest;
  return join({above  ? "above 0"
               : from ? least.digits
                      : "",
               from && !above ? " or more" : "", from && to ? ", and " : "", exact ? "at most " : "",
               exact                       ? most.digits
               : r.most == ends::below_one ? "below 1"
               : to                        ? "finite"
                                           : "",
               from || to ? "" : "a number"});
}

}  // namespace detail

}  // namespace tapeless
