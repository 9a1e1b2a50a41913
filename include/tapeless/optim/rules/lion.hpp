// SPDX-License-Identifier: BSL-1.0
// scale_by_lion, lion: the sign of a momentum.
#pragma once

#include <concepts>

#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_lion_options {
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.99;
};

struct scale_by_lion_transform : gradient_transform<2> {
  static constexpr std::string_view label = "scale_by_lion";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 2> hyper_names{"beta1", "beta2"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value beta1 = c.hyper(0), beta2 = c.hyper(1), mu = c.state<"lion.mu">();
    c.set(mu, beta2 * mu + (1.0 - beta2) * g);
    return sign(beta1 * mu + (1.0 - beta1) * g);
  }
};

/// sign(beta1 * mu + (1 - beta1) * g), where mu is the running mean of the gradients before, with beta2 (Chen
/// et al., 2023, whose two betas these are). One state for each parameter.
template <class Options = scale_by_lion_options>
auto scale_by_lion(Options given = {}) {
  auto& o = detail::given_options<scale_by_lion_options>(given);
  return scale_by_lion_transform{{{std::move(o.beta1), std::move(o.beta2)}}};
}

struct lion_options {
  hyperparameter learning_rate = 1e-4;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.99;
  hyperparameter weight_decay = 0;
};

/// Lion with decoupled weight decay.
/// @formula p -= learning_rate (sign(beta1 mu + (1 - beta1) g) + weight_decay p); mu = beta2 mu + (1 -
///   beta2) g
/// @states one for each parameter
/// @paper Chen et al., 2023
/// @torch none; pytorch_optimizer.Lion
/// @optax optax.lion
template <class Options = lion_options>
auto lion(Options given = {}) {
  auto& o = detail::given_options<lion_options>(given);
  return chain(scale_by_lion({std::move(o.beta1), std::move(o.beta2)}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
