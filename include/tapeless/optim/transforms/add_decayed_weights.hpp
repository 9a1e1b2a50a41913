// SPDX-License-Identifier: BSL-1.0
// add_decayed_weights(w): adds the parameter, times w, to the gradient.
#pragma once

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

struct add_decayed_weights_transform : gradient_transform<1> {
  static constexpr std::string_view label = "add_decayed_weights";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 1> hyper_names{"weight_decay"};
  static constexpr value transform(rule_context& c, value g) { return g + c.hyper(0) * c.parameter(); }
};

/// g + weight_decay * p. Before a rule's core it is L2 regularisation, behind it decoupled weight decay
/// (Loshchilov and Hutter, 2019).
inline auto add_decayed_weights(hyperparameter weight_decay) {
  return add_decayed_weights_transform{{{std::move(weight_decay)}}};
}

}  // namespace tapeless
