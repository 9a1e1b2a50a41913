// SPDX-License-Identifier: BSL-1.0
// scale_by_lars, lars: steps in proportion to the parameter's length.
#pragma once

#include <concepts>

#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>
#include <tapeless/optim/transforms/trace.hpp>

namespace tapeless {

struct scale_by_lars_options {
  hyperparameter trust_coefficient = 1e-3;
  hyperparameter weight_decay = 0;
};

struct scale_by_lars_transform : gradient_transform<2> {
  static constexpr std::string_view label = "scale_by_lars";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 2> hyper_names{"trust_coefficient", "weight_decay"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value p = c.parameter(), decay = c.hyper(1);
    const Value own = detail::length_of(p), step = detail::length_of(g);
    const Value none = own == 0.0 || step == 0.0;
    const Value ratio = c.hyper(0) * own / where(none, 1.0, step + decay * own);
    return detail::scaled_by(g + decay * p, where(none, 1.0, ratio));
  }
};

/// (g + weight_decay * p) * trust_coefficient * |p| / (|g| + weight_decay * |p|), with Euclidean lengths;
/// without the factor where one of them is 0 (You, Gitman and Ginsburg, 2017).
template <class Options = scale_by_lars_options>
auto scale_by_lars(Options given = {}) {
  auto& o = detail::given_options<scale_by_lars_options>(given);
  return scale_by_lars_transform{{{std::move(o.trust_coefficient), std::move(o.weight_decay)}}};
}

struct lars_options {
  hyperparameter learning_rate = 1e-1;
  hyperparameter momentum = 0.9;
  hyperparameter weight_decay = 0;
  hyperparameter trust_coefficient = 1e-3;
  bool nesterov = false;
};

/// LARS: buf = momentum * buf + learning_rate * scale_by_lars, p -= buf. The learning rate is within the
/// momentum, as in the paper. optax's divides by |g + weight_decay * p| instead, which is the same without
/// weight decay. One state for each parameter.
/// @formula buf = momentum buf + learning_rate (g + weight_decay p) trust_coefficient |p| / (|g| +
///   weight_decay |p|); p -= buf
/// @states one for each parameter
/// @paper You, Gitman and Ginsburg, 2017
/// @torch none; pytorch_optimizer.LARS
/// @optax optax.lars
template <class Options = lars_options>
auto lars(Options given = {}) {
  auto& o = detail::given_options<lars_options>(given);
  return chain(scale_by_lars({std::move(o.trust_coefficient), std::move(o.weight_decay)}),
               scale_by_learning_rate(std::move(o.learning_rate)),
               trace({.decay = o.momentum, .nesterov = o.nesterov}));
}

}  // namespace tapeless
