// SPDX-License-Identifier: BSL-1.0
// scale_by_trust_ratio, lamb: Adam's step with the length of the parameter.
#pragma once

#include <concepts>

#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/rules/adam.hpp>

namespace tapeless {

struct scale_by_trust_ratio_transform : gradient_transform<0> {
  static constexpr std::string_view label = "scale_by_trust_ratio";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 0> hyper_names{};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    return detail::scaled_by(g, detail::trust_ratio(c.parameter(), g));
  }
};

/// g * |p| / |g|, with the Euclidean lengths of the whole parameter and of its gradient; g where one of them
/// is 0.
inline auto scale_by_trust_ratio() { return scale_by_trust_ratio_transform{}; }

struct lamb_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-6;
  hyperparameter weight_decay = 0;
};

/// LAMB: p -= learning_rate * |p| * u / |u|, where u = scale_by_adam + weight_decay * p (You et al., 2020,
/// with the identity as phi).
/// @formula u = adam + weight_decay p; p -= learning_rate |p| / |u| u
/// @states two for each parameter
/// @paper You et al., 2020
/// @torch none; pytorch_optimizer.Lamb
/// @optax optax.lamb
template <class Options = lamb_options>
auto lamb(Options given = {}) {
  auto& o = detail::given_options<lamb_options>(given);
  return chain(scale_by_adam({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}),
               add_decayed_weights(std::move(o.weight_decay)), scale_by_trust_ratio(),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
