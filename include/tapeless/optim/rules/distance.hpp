// SPDX-License-Identifier: BSL-1.0
// What the rules share that find their learning rate from the distance to the solution: dadapt and prodigy.
#pragma once

#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/transforms/chain.hpp>

namespace tapeless {

struct distance_options {
  hyperparameter learning_rate = 1;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  hyperparameter first_distance = 1e-6;
};

namespace detail {

/// Base of their transformations: the options as hyperparameters.
struct distance_transform : gradient_transform<6> {
  static constexpr bool descends = true;
  static constexpr std::array<name, 6> hyper_names{"learning_rate", "beta1",        "beta2",
                                                   "epsilon",       "weight_decay", "first_distance"};
  explicit distance_transform(distance_options o)
      : gradient_transform<6>{{std::move(o.learning_rate), std::move(o.beta1), std::move(o.beta2),
                               std::move(o.epsilon), std::move(o.weight_decay),
                               std::move(o.first_distance)}} {}
};

}  // namespace detail

}  // namespace tapeless
