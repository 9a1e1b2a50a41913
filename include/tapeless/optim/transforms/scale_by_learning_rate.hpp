// SPDX-License-Identifier: BSL-1.0
// scale_by_learning_rate(r): the last step of a rule, down the gradient.
#pragma once

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

struct scale_by_learning_rate_transform : gradient_transform<1> {
  static constexpr bool descends = true;
  static constexpr std::string_view label = "scale_by_learning_rate";
  static constexpr std::array<name, 1> hyper_names{"learning_rate"};
  static constexpr value transform(rule_context& c, value g) { return -c.hyper(0) * g; }
};

/// -learning_rate * g.
inline auto scale_by_learning_rate(hyperparameter learning_rate) {
  return scale_by_learning_rate_transform{{{std::move(learning_rate)}}};
}

}  // namespace tapeless
