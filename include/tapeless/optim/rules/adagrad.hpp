// SPDX-License-Identifier: BSL-1.0
// scale_by_adagrad, adagrad: steps scaled by all gradients so far.
#pragma once

#include <concepts>

#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>

namespace tapeless {

struct scale_by_adagrad_options {
  hyperparameter epsilon = 1e-10;
  hyperparameter initial_accumulator = 0;
};

struct scale_by_adagrad_transform : gradient_transform<2> {
  static constexpr std::string_view label = "scale_by_adagrad";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 2> hyper_names{"epsilon", "initial_accumulator"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value sum = c.state<"adagrad.sum">();
    const Value next = where(c.is_first_step(), c.hyper(1), sum) + square(g);
    c.set(sum, next);
    return g / (sqrt(next) + c.hyper(0));
  }
};

/// g / (sqrt(s) + epsilon), where s is the sum of all squared gradients and starts at initial_accumulator
/// (Duchi, Hazan and Singer, 2011; defaults as PyTorch's, whose accumulator starts at 0). One state for each
/// parameter.
template <class Options = scale_by_adagrad_options>
auto scale_by_adagrad(Options given = {}) {
  auto& o = detail::given_options<scale_by_adagrad_options>(given);
  return scale_by_adagrad_transform{{{std::move(o.epsilon), std::move(o.initial_accumulator)}}};
}

struct shrinking_rate_transform : gradient_transform<2> {
  static constexpr bool descends = true;
  static constexpr std::string_view label = "shrinking_rate";
  static constexpr std::array<name, 2> hyper_names{"learning_rate", "learning_rate_decay"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    return (-c.hyper(0) / (1.0 + (c.step() - 1.0) * c.hyper(1))) * g;
  }
};

struct adagrad_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter learning_rate_decay = 0;
  hyperparameter weight_decay = 0;
  hyperparameter initial_accumulator = 0;
  hyperparameter epsilon = 1e-10;
};

/// Adagrad: p -= learning_rate / (1 + (t - 1) * learning_rate_decay) * scale_by_adagrad; weight decay is
/// added to the gradient.
/// @formula s += g^2; p -= learning_rate / (1 + (t - 1) learning_rate_decay) g / (sqrt(s) + epsilon)
/// @states one for each parameter
/// @paper Duchi, Hazan and Singer, 2011
/// @torch torch.optim.Adagrad
/// @optax optax.adagrad
template <class Options = adagrad_options>
auto adagrad(Options given = {}) {
  auto& o = detail::given_options<adagrad_options>(given);
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_adagrad({std::move(o.epsilon), std::move(o.initial_accumulator)}),
               shrinking_rate_transform{{{std::move(o.learning_rate), std::move(o.learning_rate_decay)}}});
}

}  // namespace tapeless
