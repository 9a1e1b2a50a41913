// SPDX-License-Identifier: BSL-1.0
// scale_by_adamax, adamax: Adam with the largest gradient in place of the second moment.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_adamax_options {
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
};

struct scale_by_adamax_transform : gradient_transform<3> {
  static constexpr std::string_view label = "scale_by_adamax";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 3> hyper_names{"beta1", "beta2", "epsilon"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value mu = detail::running_mean<"adamax.mu">(c, c.hyper(0), g);
    const Value size = c.state<"adamax.size">(), next = max(c.hyper(1) * size, abs(g) + c.hyper(2));
    c.set(size, next);
    return mu * detail::debias(c, c.hyper(0)) / next;
  }
};

/// mu / (1 - beta1^t) / u, where mu is a running mean of the gradient and u = max(beta2 * u, |g| + epsilon).
/// Two states for each parameter (Kingma and Ba, 2015, who have no epsilon; it stands where PyTorch has it).
template <class Options = scale_by_adamax_options>
auto scale_by_adamax(Options given = {}) {
  auto& o = detail::given_options<scale_by_adamax_options>(given);
  return scale_by_adamax_transform{{{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}}};
}

struct adamax_options {
  hyperparameter learning_rate = 2e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
};

/// Adamax; weight decay is added to the gradient.
/// @formula mu = beta1 mu + (1 - beta1) g; u = max(beta2 u, |g| + epsilon); p -= learning_rate mu / (1 -
///   beta1^t) / u
/// @states two for each parameter
/// @paper Kingma and Ba, 2015
/// @torch torch.optim.Adamax
/// @optax optax.adamax
template <class Options = adamax_options>
auto adamax(Options given = {}) {
  auto& o = detail::given_options<adamax_options>(given);
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_adamax({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
