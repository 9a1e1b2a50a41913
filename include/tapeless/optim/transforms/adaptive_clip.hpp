// SPDX-License-Identifier: BSL-1.0
// adaptive_clip({...}): gradients limited by the size of the weights that they change.
#pragma once

#include <concepts>

#include <tapeless/optim/base/norms.hpp>

namespace tapeless {

struct adaptive_clip_options {
  hyperparameter max_ratio = 0.01;
  hyperparameter epsilon = 1e-3;
};

struct adaptive_clip_transform : gradient_transform<2> {
  static constexpr std::string_view label = "adaptive_clip";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 2> hyper_names{"max_ratio", "epsilon"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const unsigned axes = g.rank() < 2 ? (1u << g.rank()) - 1 : detail::axes_of_unit(g);
    const Value limit = c.hyper(0) * max(detail::lengths_over(c.parameter(), axes), c.hyper(1));
    const Value own = detail::lengths_over(g, axes);
    return detail::scaled_by(g, where(own > limit, limit / max(own, 1e-6), 1.0));
  }
};

/// The gradient of each unit's weights (all axes but the first; a whole vector) is scaled down to max_ratio *
/// max(|weights|, epsilon) where it is longer (Brock, De, Smith and Simonyan, 2021). optax.adaptive_grad_clip
/// takes the last axis of a matrix for the units, unless it is told axis=1. It stands in front of a rule in
/// chain: behind it, it would limit the update.
template <class Options = adaptive_clip_options>
auto adaptive_clip(Options given = {}) {
  auto& o = detail::given_options<adaptive_clip_options>(given);
  return adaptive_clip_transform{{{std::move(o.max_ratio), std::move(o.epsilon)}}};
}

}  // namespace tapeless
