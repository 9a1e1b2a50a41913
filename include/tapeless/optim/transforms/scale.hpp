// SPDX-License-Identifier: BSL-1.0
// scale(f), identity(), set_to_zero(): the gradient times a number, as it is, and none.
#pragma once

#include <concepts>

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

struct scale_transform : gradient_transform<1> {
  static constexpr std::string_view label = "scale";
  static constexpr std::array<name, 1> hyper_names{"factor"};
  static constexpr value transform(rule_context& c, value g) { return c.hyper(0) * g; }
};

/// factor * g. As the last of a chain it takes the learning rate's sign along: scale(-0.1).
inline auto scale(hyperparameter factor) { return scale_transform{{{std::move(factor)}}}; }

struct identity_transform : gradient_transform<0> {
  static constexpr std::string_view label = "identity";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 0> hyper_names{};
  static constexpr value transform(rule_context&, value g) { return g; }
};

/// g.
inline auto identity() { return identity_transform{}; }

struct set_to_zero_transform : gradient_transform<0> {
  static constexpr std::string_view label = "set_to_zero";
  static constexpr bool leaves_out(const node&) { return true; }
  static constexpr std::array<name, 0> hyper_names{};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context&, Value g) {
    return expand(make_constant(*g.builder, 0, g.type()), shape_of(g));
  }
};

/// 0, also where g is NaN: parameters stay as they are.
inline auto set_to_zero() { return set_to_zero_transform{}; }

}  // namespace tapeless
