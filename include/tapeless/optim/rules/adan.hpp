// SPDX-License-Identifier: BSL-1.0
// scale_by_adan, adan: Nesterov's momentum from the gradient and its changes.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/chain.hpp>

namespace tapeless {

struct scale_by_adan_options {
  hyperparameter beta1 = 0.98;
  hyperparameter beta2 = 0.92;
  hyperparameter beta3 = 0.99;
  hyperparameter epsilon = 1e-8;
  bool debias = true;
};

struct scale_by_adan_transform : gradient_transform<5> {
  static constexpr std::string_view label = "scale_by_adan";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 5> hyper_names{"beta1", "beta2", "beta3", "epsilon", "debias"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value beta2 = c.hyper(1), previous = c.state<"adan.previous">();
    const Value change = where(c.is_first_step(), 0.0, g - previous);
    c.set(previous, g);
    const Value m = detail::running_mean<"adan.m">(c, c.hyper(0), g);
    const Value v = detail::running_mean<"adan.v">(c, beta2, change);
    const Value n = detail::running_mean<"adan.n">(c, c.hyper(2), square(g + beta2 * change));
    const auto factor = [&c](int i) { return where(c.hyper(4) != 0.0, detail::debias(c, c.hyper(i)), 1.0); };
    return (m * factor(0) + v * (beta2 * factor(1))) / (sqrt(n) * sqrt(factor(2)) + c.hyper(3));
  }
};

/// (m + beta2 * v) / (sqrt(n) + epsilon), by three running means (Xie et al., 2022): m of g, v of the change
/// g - g' of the gradient since the last step, n of (g + beta2 * (g - g'))^2. The betas are the paper's,
/// taken from 1, as in the authors' code. That code also takes off the means' bias; without debias it stays,
/// as in the paper. Four states for each parameter.
template <class Options = scale_by_adan_options>
auto scale_by_adan(Options given = {}) {
  auto& o = detail::given_options<scale_by_adan_options>(given);
  return scale_by_adan_transform{{{std::move(o.beta1), std::move(o.beta2), std::move(o.beta3),
                                   std::move(o.epsilon), o.debias ? 1.0 : 0.0}}};
}

struct implicit_decay_transform : gradient_transform<2> {
  static constexpr bool descends = true;
  static constexpr std::string_view label = "implicit_decay";
  static constexpr std::array<name, 2> hyper_names{"learning_rate", "weight_decay"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value decay = c.hyper(0) * c.hyper(1);
    return (-1.0 / (1.0 + decay)) * (c.hyper(0) * g + decay * c.parameter());
  }
};

/// The step to (p - learning_rate * g) / (1 + learning_rate * weight_decay), for the end of a chain: weight
/// decay by the new weights rather than the old ones.
inline auto implicit_decay(hyperparameter learning_rate, hyperparameter weight_decay) {
  return implicit_decay_transform{{{std::move(learning_rate), std::move(weight_decay)}}};
}

struct adan_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.98;
  hyperparameter beta2 = 0.92;
  hyperparameter beta3 = 0.99;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  bool debias = true;
};

/// Adan: p = (p - learning_rate * scale_by_adan) / (1 + learning_rate * weight_decay). optax's has 1 - beta2
/// in place of the factor beta2, 1e-8 more under the root, and adds weight decay to the update, as adamw
/// does.
/// @formula p = (p - learning_rate (m + beta2 v) / (sqrt(n) + epsilon)) / (1 + learning_rate
///   weight_decay), with running means m of g, v of the change of g, n of (g + beta2 change)^2
/// @states four for each parameter
/// @paper Xie et al., 2022
/// @torch none; pytorch_optimizer.Adan
/// @optax optax.adan
template <class Options = adan_options>
auto adan(Options given = {}) {
  auto& o = detail::given_options<adan_options>(given);
  return chain(scale_by_adan({std::move(o.beta1), std::move(o.beta2), std::move(o.beta3),
                              std::move(o.epsilon), o.debias}),
               implicit_decay(std::move(o.learning_rate), std::move(o.weight_decay)));
}

}  // namespace tapeless
