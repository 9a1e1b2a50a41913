// SPDX-License-Identifier: BSL-1.0
// clip_by_norm(m): each parameter's gradient scaled down where it is too long.
#pragma once

#include <concepts>

#include <tapeless/optim/base/norms.hpp>

namespace tapeless {

struct clip_by_norm_transform : gradient_transform<1> {
  static constexpr std::string_view label = "clip_by_norm";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 1> hyper_names{"max_norm"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    return detail::scaled_by(g, min(c.hyper(0) / (detail::length_of(g) + 1e-6), 1.0));
  }
};

/// g * min(1, max_norm / (|g| + 1e-6)), with the Euclidean norm of each parameter's gradient alone: as
/// clip_by_global_norm of one parameter. It stands in front of a rule in chain: behind it, it would clip the
/// update.
inline auto clip_by_norm(hyperparameter max_norm) { return clip_by_norm_transform{{{std::move(max_norm)}}}; }

}  // namespace tapeless
