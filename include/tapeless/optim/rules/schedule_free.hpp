// SPDX-License-Identifier: BSL-1.0
// schedule_free_sgd, schedule_free_adamw: an average of the iterates in place of a schedule.
#pragma once

#include <concepts>

#include <tapeless/optim/rules/rmsprop.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>

namespace tapeless {

struct schedule_free_step_options {
  hyperparameter learning_rate = 1;
  hyperparameter momentum = 0.9;
  hyperparameter weight_power = 2;
};

struct schedule_free_step_transform : gradient_transform<3> {
  static constexpr bool descends = true;
  static constexpr std::string_view label = "schedule_free_step";
  static constexpr std::array<name, 3> hyper_names{"learning_rate", "momentum", "weight_power"};
  static constexpr std::array<hyperparameter_range, 3> hyper_ranges{
      ranges::not_negative, ranges::positive_share, ranges::not_negative};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value rate = c.hyper(0), momentum = c.hyper(1), y = c.parameter();
    const Value largest = c.state<"schedule_free.rate">({}), next_largest = max(largest, rate);
    const Value weight = pow(next_largest, c.hyper(2));
    const Value weights = c.state<"schedule_free.weights">({}), next_weights = weights + weight;
    const Value none = next_weights == 0.0;
    const Value share = where(none, 0.0, weight / where(none, 1.0, next_weights));
    const Value base = c.state<"schedule_free.z">(), z = where(c.is_first_step(), y, base);
    c.set(largest, next_largest);
    c.set(weights, next_weights);
    c.set(base, z - rate * g);
    c.set_averaged(
        where(weights > 0.0, (y - (1.0 - momentum) * base) / where(weights > 0.0, momentum, 1.0), y));
    return share * (z - y) + (rate * (momentum * (1.0 - share) - 1.0)) * g;
  }
};

/// The last part of a schedule-free rule. With the step z -= learning_rate * g and the average x = (1 - c) x
/// + c z, where c is this step's share of the sum of (largest learning rate so far)^weight_power, the
/// parameter is y = (1 - momentum) z + momentum x (Defazio et al., 2024). The state schedule_free.z is z; the
/// weights to use after training are x = (y - (1 - momentum) z) / momentum, which averaged_weights() of the
/// trainer has. One state and two numbers for each parameter.
template <class Options = schedule_free_step_options>
auto schedule_free_step(Options given = {}) {
  auto& o = detail::given_options<schedule_free_step_options>(given);
  return schedule_free_step_transform{
      {{std::move(o.learning_rate), std::move(o.momentum), std::move(o.weight_power)}}};
}

struct schedule_free_sgd_options {
  hyperparameter learning_rate = 1;
  hyperparameter momentum = 0.9;
  hyperparameter weight_decay = 0;
};

/// Schedule-free SGD; weight decay, by the parameter as it is in training, is added to the gradient.
/// @formula z -= learning_rate (g + weight_decay p); x = (1 - c) x + c z; p = (1 - momentum) z + momentum x
/// @states one and two numbers for each parameter
/// @paper Defazio et al., 2024
/// @torch none; schedulefree.SGDScheduleFree
/// @optax optax.contrib.schedule_free_sgd
template <class Options = schedule_free_sgd_options>
auto schedule_free_sgd(Options given = {}) {
  auto& o = detail::given_options<schedule_free_sgd_options>(given);
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               schedule_free_step({std::move(o.learning_rate), std::move(o.momentum)}));
}

struct schedule_free_adamw_options {
  hyperparameter learning_rate = 2.5e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
};

/// Schedule-free AdamW: the same with g / (sqrt(nu / (1 - beta2^t)) + epsilon) + weight_decay * p as the
/// gradient, and beta1 as the momentum. Two states and two numbers for each parameter.
/// @formula z -= learning_rate (g / (sqrt(nu / (1 - beta2^t)) + epsilon) + weight_decay p);
///   x = (1 - c) x + c z; p = (1 - beta1) z + beta1 x
/// @states two and two numbers for each parameter
/// @paper Defazio et al., 2024
/// @torch none; schedulefree.AdamWScheduleFree
/// @optax optax.contrib.schedule_free_adamw
template <class Options = schedule_free_adamw_options>
auto schedule_free_adamw(Options given = {}) {
  auto& o = detail::given_options<schedule_free_adamw_options>(given);
  return chain(scale_by_rms({.decay = std::move(o.beta2), .epsilon = std::move(o.epsilon), .debias = true}),
               add_decayed_weights(std::move(o.weight_decay)),
               schedule_free_step({std::move(o.learning_rate), std::move(o.beta1)}));
}

}  // namespace tapeless
