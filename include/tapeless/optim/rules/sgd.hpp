// SPDX-License-Identifier: BSL-1.0
// sgd({...}): stochastic gradient descent, with momentum where it is asked for.
#pragma once

#include <concepts>

#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>
#include <tapeless/optim/transforms/trace.hpp>

namespace tapeless {

struct sgd_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter weight_decay = 0;
};

struct sgd_momentum_options {
  hyperparameter learning_rate = 1e-3;
  required_hyperparameter momentum;
  hyperparameter dampening = 0;
  hyperparameter weight_decay = 0;
  bool nesterov = false;
};

/// p -= learning_rate * (g + weight_decay * p). Keeps no state.
/// @formula p -= learning_rate (g + weight_decay p); with momentum buf = momentum buf + g, p -=
///   learning_rate buf
/// @states none; one for each parameter with momentum
/// @paper Robbins and Monro, 1951
/// @torch torch.optim.SGD
/// @optax optax.sgd
template <class Options = sgd_options>
auto sgd(Options given = {}) {
  auto& o = detail::given_options<sgd_options>(given);
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

/// The same with momentum, chosen by naming it: sgd({.learning_rate = 0.1f, .momentum = 0.9f}). One state for
/// each parameter. A template, so that options without momentum are the other's.
template <std::same_as<sgd_momentum_options> Options = sgd_momentum_options>
auto sgd(Options o) {
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               trace({.decay = o.momentum, .dampening = std::move(o.dampening), .nesterov = o.nesterov}),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
