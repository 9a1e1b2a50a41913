// SPDX-License-Identifier: BSL-1.0
// scale_by_belief, adabelief: steps scaled by how far the gradient is from what was expected.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_belief_options {
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-16;
};

struct scale_by_belief_transform : gradient_transform<3> {
  static constexpr std::string_view label = "scale_by_belief";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 3> hyper_names{"beta1", "beta2", "epsilon"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value beta2 = c.hyper(1), epsilon = c.hyper(2);
    const Value mu = detail::running_mean<"adabelief.mu">(c, c.hyper(0), g);
    const Value s = c.state<"adabelief.s">();
    const Value next = beta2 * s + (1.0 - beta2) * square(g - mu) + epsilon;
    c.set(s, next);
    return mu * detail::debias(c, c.hyper(0)) / (sqrt(next * detail::debias(c, beta2)) + epsilon);
  }
};

/// mu / (1 - beta1^t) / (sqrt(s / (1 - beta2^t)) + epsilon), where mu is a running mean of the gradient and s
/// = beta2 * s + (1 - beta2) * (g - mu)^2 + epsilon (Zhuang et al., 2020, algorithm 2; epsilon = 1e-16 is the
/// authors' code's, 1e-8 the paper's). Two states for each parameter.
template <class Options = scale_by_belief_options>
auto scale_by_belief(Options given = {}) {
  auto& o = detail::given_options<scale_by_belief_options>(given);
  return scale_by_belief_transform{{{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}}};
}

struct adabelief_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-16;
  hyperparameter weight_decay = 0;
};

/// AdaBelief with decoupled weight decay.
/// @formula mu = beta1 mu + (1 - beta1) g; s = beta2 s + (1 - beta2) (g - mu)^2 + epsilon; p -=
///   learning_rate (mu / (1 - beta1^t) / (sqrt(s / (1 - beta2^t)) + epsilon) + weight_decay p)
/// @states two for each parameter
/// @paper Zhuang et al., 2020
/// @torch none; pytorch_optimizer.AdaBelief
/// @optax optax.adabelief
template <class Options = adabelief_options>
auto adabelief(Options given = {}) {
  auto& o = detail::given_options<adabelief_options>(given);
  return chain(scale_by_belief({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon)}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
