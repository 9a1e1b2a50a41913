// SPDX-License-Identifier: BSL-1.0
// centralize(): takes the mean off the gradient of each unit's weights.
#pragma once

#include <concepts>

#include <tapeless/ops/reduction/mean.hpp>
#include <tapeless/optim/base/norms.hpp>

namespace tapeless {

struct centralize_transform : gradient_transform<0> {
  static constexpr std::string_view label = "centralize";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 0> hyper_names{};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context&, Value g) {
    if (g.rank() < 2) return g;
    const unsigned axes = detail::axes_of_unit(g);
    return g - mean_operation::build(g, axes, true);
  }
};

/// g - mean(g) over all axes but the first; scalars and vectors stay as they are (Yong, Huang, Hua and Zhang,
/// 2020).
inline auto centralize() { return centralize_transform{}; }

}  // namespace tapeless
