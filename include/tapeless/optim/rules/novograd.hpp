// SPDX-License-Identifier: BSL-1.0
// scale_by_novograd, novograd: momentum of gradients that have been brought to one length.
#pragma once

#include <concepts>

#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_novograd_options {
  hyperparameter beta1 = 0.95;
  hyperparameter beta2 = 0.98;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
};

struct scale_by_novograd_transform : gradient_transform<4> {
  static constexpr std::string_view label = "scale_by_novograd";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 4> hyper_names{"beta1", "beta2", "epsilon", "weight_decay"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value v = c.state<"novograd.v">({}), m = c.state<"novograd.m">();
    const Value squared = detail::sum_of_squares(g);
    const Value next_v = where(c.step() == 1.0, squared, c.hyper(1) * v + (1.0 - c.hyper(1)) * squared);
    const Value next_m =
        c.hyper(0) * m + detail::scaled_by(g, 1.0 / (sqrt(next_v) + c.hyper(2))) + c.hyper(3) * c.parameter();
    c.set(v, next_v);
    c.set(m, next_m);
    return next_m;
  }
};

/// m = beta1 * m + g / (sqrt(v) + epsilon) + weight_decay * p, where v is a running mean of the squared
/// length of the parameter's whole gradient, and starts at the first one (Ginsburg et al., 2019). One state
/// and a number for each parameter.
template <class Options = scale_by_novograd_options>
auto scale_by_novograd(Options given = {}) {
  auto& o = detail::given_options<scale_by_novograd_options>(given);
  return scale_by_novograd_transform{
      {{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon), std::move(o.weight_decay)}}};
}

struct novograd_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.95;
  hyperparameter beta2 = 0.98;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
};

/// NovoGrad: p -= learning_rate * scale_by_novograd. optax's is the same, but starts from beta1 = 0.9, beta2
/// = 0.25 and epsilon = 1e-6.
/// @formula v = beta2 v + (1 - beta2) |g|^2; m = beta1 m + g / (sqrt(v) + epsilon) + weight_decay p; p -=
///   learning_rate m
/// @states one for each parameter, and a number
/// @paper Ginsburg et al., 2019
/// @torch none; pytorch_optimizer.NovoGrad
/// @optax optax.novograd
template <class Options = novograd_options>
auto novograd(Options given = {}) {
  auto& o = detail::given_options<novograd_options>(given);
  return chain(scale_by_novograd(
                   {std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon), std::move(o.weight_decay)}),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
