// SPDX-License-Identifier: BSL-1.0
// scale_by_adam, adam, adamw: steps scaled by moments of the gradient.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_adam_options {
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
};

struct scale_by_adam_transform : gradient_transform<3> {
  static constexpr std::string_view label = "scale_by_adam";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 3> hyper_names{"beta1", "beta2", "epsilon"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value beta1 = c.hyper(0), beta2 = c.hyper(1), epsilon = c.hyper(2), t = c.step();
    const Value mu = detail::running_mean<"adam.mu">(c, beta1, g);
    const Value nu = detail::running_mean<"adam.nu">(c, beta2, square(g));
    const Value unbiased_mu = mu * detail::debias(c, beta1);
    return unbiased_mu / (sqrt(nu) * (1.0 / sqrt(1.0 - pow(beta2, t))) + epsilon);
  }
};

/// mu / (1 - beta1^t) / (sqrt(nu / (1 - beta2^t)) + epsilon), where mu and nu are running means of the
/// gradient and of its square. Two states for each parameter (Kingma and Ba, 2015).
inline auto scale_by_adam(scale_by_adam_options o = {}) {
  return scale_by_adam_transform{{{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}}};
}

struct adam_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
};

/// Adam; weight decay, where there is some, is added to the gradient (L2), as PyTorch's Adam does.
/// @formula mu = beta1 mu + (1 - beta1) g; nu = beta2 nu + (1 - beta2) g^2; p -= learning_rate mu / (1 -
///   beta1^t) / (sqrt(nu / (1 - beta2^t)) + epsilon)
/// @states two for each parameter
/// @paper Kingma and Ba, 2015
/// @torch torch.optim.Adam
/// @optax optax.adam
template <class Options = adam_options>
auto adam(Options given = {}) {
  auto& o = detail::given_options<adam_options>(given);
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_adam({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

struct adamw_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 1e-2;
};

/// Adam with decoupled weight decay: p -= learning_rate * (adam + weight_decay * p) (Loshchilov and Hutter,
/// 2019).
/// @formula as adam's; p -= learning_rate (adam + weight_decay p)
/// @states two for each parameter
/// @paper Loshchilov and Hutter, 2019
/// @torch torch.optim.AdamW
/// @optax optax.adamw
template <class Options = adamw_options>
auto adamw(Options given = {}) {
  auto& o = detail::given_options<adamw_options>(given);
  return chain(scale_by_adam({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
