// SPDX-License-Identifier: BSL-1.0
// add_noise({...}): Gaussian noise on the gradient, less of it from step to step.
#pragma once

#include <concepts>

#include <numbers>

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

struct add_noise_options {
  hyperparameter eta = 0.01;    ///< the variance at the first step
  hyperparameter gamma = 0.55;  ///< how fast it shrinks
};

struct add_noise_transform : gradient_transform<2> {
  static constexpr std::string_view label = "add_noise";
  static constexpr std::array<name, 2> hyper_names{"eta", "gamma"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value radius = sqrt(-2.0 * log(1.0 - random_like(g)));
    const Value normal = radius * cos(2 * std::numbers::pi * random_like(g));
    return g + sqrt(c.hyper(0) * pow(c.step(), -c.hyper(1))) * cast(normal, g.type());
  }
};

/// g + noise, independent for each element, of the variance eta / (1 + t)^gamma at step t = 0, 1, ...
/// (Neelakantan et al., 2015; normal numbers by Box and Muller, 1958). The noise comes from the trainer's
/// seed.
template <class Options = add_noise_options>
auto add_noise(Options given = {}) {
  auto& o = detail::given_options<add_noise_options>(given);
  return add_noise_transform{{{std::move(o.eta), std::move(o.gamma)}}};
}

}  // namespace tapeless
