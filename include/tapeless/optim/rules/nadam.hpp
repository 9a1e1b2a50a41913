// SPDX-License-Identifier: BSL-1.0
// scale_by_nadam, nadam, nadamw: Adam with Nesterov's momentum.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_nadam_options {
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter momentum_decay = 4e-3;
};

struct scale_by_nadam_transform : gradient_transform<4> {
  static constexpr std::string_view label = "scale_by_nadam";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 4> hyper_names{"beta1", "beta2", "epsilon", "momentum_decay"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value beta2 = c.hyper(1), t = c.step();
    const auto momentum_at = [&c](Value step) {
      return c.hyper(0) * (1.0 - 0.5 * pow(0.96, step * c.hyper(3)));
    };
    const Value now = momentum_at(t), next = momentum_at(t + 1.0);
    const Value before = c.state<"nadam.product">({}, 1), product = before * now;
    c.set(before, product);
    const Value mu = detail::running_mean<"nadam.mu">(c, c.hyper(0), g);
    const Value nu = detail::running_mean<"nadam.nu">(c, beta2, square(g));
    const Value ahead = g * ((1.0 - now) / (1.0 - product)) + mu * (next / (1.0 - product * next));
    return ahead / (sqrt(nu) * (1.0 / sqrt(1.0 - pow(beta2, t))) + c.hyper(2));
  }
};

/// ((1 - b_t) / (1 - B_t) * g + b_(t+1) / (1 - B_t b_(t+1)) * mu) / (sqrt(nu / (1 - beta2^t)) + epsilon),
/// where mu and nu are running means of g and g^2, b_t = beta1 * (1 - 0.96^(t * momentum_decay) / 2) and B_t
/// = b_1 * ... * b_t (Dozat, 2016; as PyTorch's, which also decays mu with beta1 rather than b_t). With
/// momentum_decay = 0, b_t is beta1 / 2, and not beta1 as in implementations that have no such decay. Two
/// states and a number for each parameter.
template <class Options = scale_by_nadam_options>
auto scale_by_nadam(Options given = {}) {
  auto& o = detail::given_options<scale_by_nadam_options>(given);
  return scale_by_nadam_transform{
      {{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon), std::move(o.momentum_decay)}}};
}

struct nadam_options {
  hyperparameter learning_rate = 2e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  hyperparameter momentum_decay = 4e-3;
};

/// NAdam; weight decay is added to the gradient.
/// @formula as adam's, with Nesterov's momentum: ((1 - b_t) / (1 - B_t) g + b_(t+1) / (1 - B_t b_(t+1))
///   mu) in place of mu / (1 - beta1^t)
/// @states two for each parameter, and a number
/// @paper Dozat, 2016
/// @torch torch.optim.NAdam
/// @optax optax.nadam
template <class Options = nadam_options>
auto nadam(Options given = {}) {
  auto& o = detail::given_options<nadam_options>(given);
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_nadam({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon),
                               std::move(o.momentum_decay)}),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

struct nadamw_options {
  hyperparameter learning_rate = 2e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 1e-2;
  hyperparameter momentum_decay = 4e-3;
};

/// NAdam with decoupled weight decay.
/// @formula as nadam's; p -= learning_rate (nadam + weight_decay p)
/// @states two for each parameter, and a number
/// @paper Dozat, 2016
/// @torch torch.optim.NAdam(decoupled_weight_decay=True)
/// @optax optax.nadamw
template <class Options = nadamw_options>
auto nadamw(Options given = {}) {
  auto& o = detail::given_options<nadamw_options>(given);
  return chain(scale_by_nadam({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon),
                               std::move(o.momentum_decay)}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
