// SPDX-License-Identifier: BSL-1.0
// scale_by_radam, radam: Adam that waits with its second moment until that is known well enough.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_radam_options {
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter threshold = 5;
};

struct scale_by_radam_transform : gradient_transform<4> {
  static constexpr std::string_view label = "scale_by_radam";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 4> hyper_names{"beta1", "beta2", "epsilon", "threshold"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value beta1 = c.hyper(0), beta2 = c.hyper(1), epsilon = c.hyper(2), t = c.step();
    const Value mu = detail::running_mean<"radam.mu">(c, beta1, g);
    const Value nu = detail::running_mean<"radam.nu">(c, beta2, square(g));
    const Value power = pow(beta2, t), most = 2.0 / (1.0 - beta2) - 1.0;
    const Value length = most - 2.0 * t * power / (1.0 - power);
    const Value known = length > c.hyper(3), r = where(known, length, 5.0);
    const Value rectified =
        sqrt((r - 4.0) * (r - 2.0) * most / ((most - 4.0) * (most - 2.0) * r) * (1.0 - power));
    return mu * detail::debias(c, beta1) * where(known, rectified / (sqrt(nu) + epsilon), 1.0);
  }
};

/// Adam's step times sqrt((r-4) (r-2) R / ((R-4) r)), where R = 2 / (1 - beta2) - 1 and r = R - 2 t
/// beta2^t / (1 - beta2^t), if r > threshold; mu / (1 - beta1^t) else (Liu et al., 2020). The paper's
/// threshold is 4, PyTorch's is 5, which is the default here; r must be above it, where optax takes r equal
/// to it, too. epsilon is added to sqrt(nu) before its bias is taken off, as PyTorch does (optax: after; the
/// paper has none). Two states for each parameter.
template <class Options = scale_by_radam_options>
auto scale_by_radam(Options given = {}) {
  auto& o = detail::given_options<scale_by_radam_options>(given);
  return scale_by_radam_transform{
      {{std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon), std::move(o.threshold)}}};
}

struct radam_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  hyperparameter threshold = 5;
};

/// RAdam; weight decay is added to the gradient.
/// @formula as adam's, times sqrt((r-4) (r-2) R / ((R-4) r)) where r > threshold; p -=
///   learning_rate mu / (1 - beta1^t) elsewhere
/// @states two for each parameter
/// @paper Liu et al., 2020
/// @torch torch.optim.RAdam
/// @optax optax.radam
template <class Options = radam_options>
auto radam(Options given = {}) {
  auto& o = detail::given_options<radam_options>(given);
  return chain(
      add_decayed_weights(std::move(o.weight_decay)),
      scale_by_radam({std::move(o.beta1), std::move(o.beta2), std::move(o.epsilon), std::move(o.threshold)}),
      scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
