// SPDX-License-Identifier: BSL-1.0
// scale_by_asgd, asgd: stochastic gradient descent whose iterates are averaged.
#pragma once

#include <concepts>

#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>

namespace tapeless {

struct scale_by_asgd_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter lambda = 1e-4;
  hyperparameter alpha = 0.75;
  hyperparameter start = 1e6;  ///< the step at which averaging starts
};

struct scale_by_asgd_transform : gradient_transform<4> {
  static constexpr bool descends = true;
  static constexpr std::string_view label = "scale_by_asgd";
  static constexpr std::array<name, 4> hyper_names{"learning_rate", "lambda", "alpha", "start"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value rate = c.hyper(0), lambda = c.hyper(1), before = c.step() - 1.0;
    const Value eta = rate / pow(1.0 + lambda * rate * before, c.hyper(2));
    const Value share = where(c.is_first_step(), 1.0, 1.0 / max(before - c.hyper(3), 1.0));
    const Value update = -eta * (lambda * c.parameter() + g);
    const Value average = c.state<"asgd.average">();
    c.set(average, average + (c.parameter() + update - average) * share);
    c.set_averaged(where(c.step() >= 1.0, average, c.parameter()));
    return update;
  }
};

/// -eta * (lambda * p + g), where eta = learning_rate / (1 + lambda * learning_rate * (t - 1))^alpha (Polyak
/// and Juditsky, 1992; Bottou, 2012; as PyTorch's ASGD). The state asgd.average is the mean of the parameters
/// since step `start`, and before it their last value. averaged_weights() of the trainer has it. One state
/// for each parameter.
inline auto scale_by_asgd(scale_by_asgd_options o = {}) {
  return scale_by_asgd_transform{
      {{std::move(o.learning_rate), std::move(o.lambda), std::move(o.alpha), std::move(o.start)}}};
}

struct asgd_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter lambda = 1e-4;
  hyperparameter alpha = 0.75;
  hyperparameter start = 1e6;  ///< the step at which averaging starts
  hyperparameter weight_decay = 0;
};

/// ASGD; weight decay is added to the gradient.
/// @formula p -= learning_rate / (1 + lambda learning_rate (t - 1))^alpha (lambda p + g); the average of
///   p since step `start` is kept
/// @states one for each parameter
/// @paper Polyak and Juditsky, 1992
/// @torch torch.optim.ASGD
/// @optax none
template <class Options = asgd_options>
auto asgd(Options given = {}) {
  auto& o = detail::given_options<asgd_options>(given);
  return chain(add_decayed_weights(o.weight_decay),
               scale_by_asgd({o.learning_rate, o.lambda, o.alpha, o.start}));
}

}  // namespace tapeless
