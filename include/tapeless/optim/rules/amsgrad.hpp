// SPDX-License-Identifier: BSL-1.0
// scale_by_amsgrad, adam({.amsgrad = true}): Adam whose steps never grow again.
#pragma once

#include <concepts>

#include <tapeless/optim/rules/adam.hpp>

namespace tapeless {

struct scale_by_amsgrad_transform : gradient_transform<4> {
  static constexpr std::string_view label = "scale_by_amsgrad";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 4> hyper_names{"beta1", "beta2", "epsilon", "amsgrad"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value beta1 = c.hyper(0), beta2 = c.hyper(1), epsilon = c.hyper(2), t = c.step();
    const Value mu = detail::running_mean<"amsgrad.mu">(c, beta1, g);
    const Value nu = detail::running_mean<"amsgrad.nu">(c, beta2, square(g));
    const Value most = c.state<"amsgrad.max_nu">(), next = max(most, nu);
    c.set(most, next);
    const Value used = where(c.hyper(3) != 0.0, next, nu);
    return mu * detail::debias(c, beta1) / (sqrt(used) * (1.0 / sqrt(1.0 - pow(beta2, t))) + epsilon);
  }
};

/// scale_by_adam with the largest nu so far in place of nu (Reddi, Kale and Kumar, 2018). Three states for
/// each parameter. The bias is taken off mu and off the largest nu, as PyTorch does; the paper takes off
/// none.
template <class Options = scale_by_adam_options>
auto scale_by_amsgrad(Options given = {}) {
  auto& o = detail::given_options<scale_by_adam_options>(given);
  return scale_by_amsgrad_transform{{{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon), 1}}};
}

struct adam_amsgrad_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  required_flag amsgrad;
};

/// Adam with the largest second moment so far, chosen by naming it: adam({.amsgrad = true}).
/// @formula as adam's, with the largest nu so far in place of nu
/// @states three for each parameter
/// @paper Reddi, Kale and Kumar, 2018
/// @torch torch.optim.Adam(amsgrad=True)
/// @optax optax.amsgrad
template <std::same_as<adam_amsgrad_options> Options = adam_amsgrad_options>
auto adam(Options o) {
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_amsgrad_transform{{{o.beta1, o.beta2, o.epsilon, double(o.amsgrad)}}},
               scale_by_learning_rate(std::move(o.learning_rate)));
}

struct adamw_amsgrad_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 1e-2;
  required_flag amsgrad;
};

/// The same with decoupled weight decay: adamw({.amsgrad = true}).
/// @formula as adamw's, with the largest nu so far in place of nu
/// @states three for each parameter
/// @paper Reddi, Kale and Kumar, 2018
/// @torch torch.optim.AdamW(amsgrad=True)
/// @optax none: optax.chain with optax.scale_by_amsgrad
template <std::same_as<adamw_amsgrad_options> Options = adamw_amsgrad_options>
auto adamw(Options o) {
  return chain(scale_by_amsgrad_transform{{{o.beta1, o.beta2, o.epsilon, double(o.amsgrad)}}},
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
