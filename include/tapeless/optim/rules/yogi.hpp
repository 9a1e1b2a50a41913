// SPDX-License-Identifier: BSL-1.0
// scale_by_yogi, yogi: Adam whose second moment changes by steps of the gradient's size.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_yogi_options {
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-3;
  hyperparameter initial_accumulator = 1e-6;
  bool debias = false;
};

struct scale_by_yogi_transform : gradient_transform<5> {
  static constexpr std::string_view label = "scale_by_yogi";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 5> hyper_names{"beta1", "beta2", "epsilon", "initial_accumulator",
                                                   "debias"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value beta1 = c.hyper(0), beta2 = c.hyper(1), first = c.is_first_step();
    const Value m = c.state<"yogi.m">(), v = c.state<"yogi.v">(), squared = square(g);
    const Value next_m = beta1 * m + (1.0 - beta1) * g;
    const Value before = where(first, c.hyper(3), v);
    const Value next_v = before - (1.0 - beta2) * sign(before - squared) * squared;
    c.set(m, next_m);
    c.set(v, next_v);
    const auto factor = [&c](Value beta) { return where(c.hyper(4) != 0.0, detail::debias(c, beta), 1.0); };
    return next_m * factor(beta1) / (sqrt(next_v * factor(beta2)) + c.hyper(2));
  }
};

/// m / (sqrt(v) + epsilon), where m is a running mean of the gradient and v -= (1 - beta2) * sign(v - g^2) *
/// g^2 (Zaheer et al., 2018). v starts at initial_accumulator and m at 0, where other implementations start m
/// there, too. The paper takes off no bias; with debias it is taken off both, as common implementations do.
/// Two states for each parameter.
template <class Options = scale_by_yogi_options>
auto scale_by_yogi(Options given = {}) {
  auto& o = detail::given_options<scale_by_yogi_options>(given);
  return scale_by_yogi_transform{{{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon),
                                   std::move(o.initial_accumulator), o.debias ? 1.0 : 0.0}}};
}

struct yogi_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-3;
  hyperparameter weight_decay = 0;
  hyperparameter initial_accumulator = 1e-6;
  bool debias = false;
};

/// Yogi; weight decay is added to the gradient. optax's starts m at initial_accumulator, too, and takes off
/// the bias, as debias does.
/// @formula m = beta1 m + (1 - beta1) g; v -= (1 - beta2) sign(v - g^2) g^2; p -= learning_rate m /
///   (sqrt(v) + epsilon)
/// @states two for each parameter
/// @paper Zaheer et al., 2018
/// @torch none; pytorch_optimizer.Yogi
/// @optax optax.yogi
template <class Options = yogi_options>
auto yogi(Options given = {}) {
  auto& o = detail::given_options<yogi_options>(given);
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_yogi({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon),
                              std::move(o.initial_accumulator), o.debias}),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
