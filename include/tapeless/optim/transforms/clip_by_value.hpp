// SPDX-License-Identifier: BSL-1.0
// clip_by_value(v): every element of a gradient limited to [-v, v].
#pragma once

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

struct clip_by_value_transform : gradient_transform<1> {
  static constexpr std::string_view label = "clip_by_value";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 1> hyper_names{"max_value"};
  static constexpr value transform(rule_context& c, value g) { return min(max(g, -c.hyper(0)), c.hyper(0)); }
};

/// min(max(g, -max_value), max_value), as PyTorch's clip_grad_value_. NaN stays NaN. It stands in
/// front of a rule in chain: behind it, it would clip the update.
inline auto clip_by_value(hyperparameter max_value) {
  return clip_by_value_transform{{{std::move(max_value)}}};
}

}  // namespace tapeless
