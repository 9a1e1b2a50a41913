// SPDX-License-Identifier: BSL-1.0
// scale_by_rms, scale_by_deviation, rmsprop: steps scaled by the recent size of the gradient.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>
#include <tapeless/optim/transforms/trace.hpp>

namespace tapeless {

struct scale_by_rms_options {
  hyperparameter decay = 0.99;
  hyperparameter epsilon = 1e-8;
  bool debias = false;
};

struct scale_by_rms_transform : gradient_transform<3> {
  static constexpr std::string_view label = "scale_by_rms";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 3> hyper_names{"decay", "epsilon", "debias"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value nu = detail::running_mean<"rms.nu">(c, c.hyper(0), square(g));
    const Value factor = where(c.hyper(2) != 0.0, sqrt(detail::debias(c, c.hyper(0))), 1.0);
    return g / (sqrt(nu) * factor + c.hyper(1));
  }
};

/// g / (sqrt(nu) + epsilon), where nu is a running mean of g^2 (Tieleman and Hinton, 2012), with debias nu
/// / (1 - decay^t). One state for each parameter.
template <class Options = scale_by_rms_options>
auto scale_by_rms(Options given = {}) {
  auto& o = detail::given_options<scale_by_rms_options>(given);
  return scale_by_rms_transform{{{std::move(o.decay), std::move(o.epsilon), o.debias ? 1.0 : 0.0}}};
}

struct scale_by_deviation_options {
  hyperparameter decay = 0.99;
  hyperparameter epsilon = 1e-8;
};

struct scale_by_deviation_transform : gradient_transform<3> {
  static constexpr std::string_view label = "scale_by_deviation";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 3> hyper_names{"decay", "epsilon", "centered"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    // The same as nu - mu^2, which rounding makes negative where gradients hardly change: sums of squares.
    const Value decay = c.hyper(0), centered = cast(c.hyper(2) != 0.0, element::number);
    const Value mu = c.state<"rms.mu">(), variance = c.state<"rms.variance">();
    const Value change = g - centered * mu;
    const Value share = (1.0 - decay) * (1.0 - centered + centered * decay);
    const Value next = decay * variance + share * square(change);
    c.set(mu, mu + (1.0 - decay) * (g - mu));
    c.set(variance, next);
    return g / (sqrt(next) + c.hyper(1));
  }
};

/// g / (sqrt(v) + epsilon), where v = nu - mu^2, and mu and nu are running means of g and of g^2 (Graves,
/// 2013). v is kept as such, decay * (v + (1 - decay) * (g - mu)^2) with the mu before the step, so that it
/// is never negative. Two states for each parameter.
template <class Options = scale_by_deviation_options>
auto scale_by_deviation(Options given = {}) {
  auto& o = detail::given_options<scale_by_deviation_options>(given);
  return scale_by_deviation_transform{{{std::move(o.decay), std::move(o.epsilon), 1}}};
}

struct rmsprop_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter decay = 0.99;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
};

struct rmsprop_momentum_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter decay = 0.99;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  required_hyperparameter momentum;
};

struct rmsprop_centered_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter decay = 0.99;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  required_flag centered;
};

struct rmsprop_centered_momentum_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter decay = 0.99;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  required_hyperparameter momentum;
  required_flag centered;
};

namespace detail {

// Options that name two things are also what options that name one of them could mean: the more
// constrained overload is taken.
template <class Options>
concept rmsprop_choice =
    std::same_as<Options, rmsprop_momentum_options> || std::same_as<Options, rmsprop_centered_options> ||
    std::same_as<Options, rmsprop_centered_momentum_options>;

}  // namespace detail

/// RMSprop; weight decay is added to the gradient. One state for each parameter.
/// @formula nu = decay nu + (1 - decay) g^2; p -= learning_rate g / (sqrt(nu) + epsilon)
/// @states one for each parameter
/// @paper Tieleman and Hinton, 2012
/// @torch torch.optim.RMSprop
/// @optax optax.rmsprop
template <class Options = rmsprop_options>
auto rmsprop(Options given = {}) {
  auto& o = detail::given_options<rmsprop_options>(given);
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_rms({std::move(o.decay), std::move(o.epsilon)}),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

/// The same with momentum, buf = momentum * buf + scaled gradient, or centered, or both, chosen by naming
/// them: rmsprop({.momentum = 0.9, .centered = true}). One more state for each.
template <detail::rmsprop_choice Options = rmsprop_momentum_options>
  requires std::same_as<Options, rmsprop_momentum_options>
auto rmsprop(Options o) {
  return chain(add_decayed_weights(std::move(o.weight_decay)), scale_by_rms({o.decay, o.epsilon}),
               trace({.decay = o.momentum}), scale_by_learning_rate(std::move(o.learning_rate)));
}
template <detail::rmsprop_choice Options = rmsprop_centered_options>
  requires std::same_as<Options, rmsprop_centered_options>
auto rmsprop(Options o) {
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_deviation_transform{{{o.decay, o.epsilon, double(o.centered)}}},
               scale_by_learning_rate(std::move(o.learning_rate)));
}
template <detail::rmsprop_choice Options = rmsprop_centered_momentum_options>
auto rmsprop(Options o) {
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_deviation_transform{{{o.decay, o.epsilon, double(o.centered)}}},
               trace({.decay = o.momentum}), scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
