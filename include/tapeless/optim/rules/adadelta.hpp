// SPDX-License-Identifier: BSL-1.0
// scale_by_adadelta, adadelta: steps in the unit of the parameter.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_adadelta_options {
  hyperparameter rho = 0.9;
  hyperparameter epsilon = 1e-6;
};

struct scale_by_adadelta_transform : gradient_transform<2> {
  static constexpr std::string_view label = "scale_by_adadelta";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 2> hyper_names{"rho", "epsilon"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value rho = c.hyper(0), epsilon = c.hyper(1);
    const Value nu = detail::running_mean<"adadelta.nu">(c, rho, square(g));
    const Value changes = c.state<"adadelta.changes">();
    const Value change = sqrt(changes + epsilon) / sqrt(nu + epsilon) * g;
    c.set(changes, rho * changes + (1.0 - rho) * square(change));
    return change;
  }
};

/// d = sqrt(D + epsilon) / sqrt(nu + epsilon) * g, where nu and D are running means of g^2 and of d^2
/// (Zeiler, 2012). Two states for each parameter.
template <class Options = scale_by_adadelta_options>
auto scale_by_adadelta(Options given = {}) {
  auto& o = detail::given_options<scale_by_adadelta_options>(given);
  return scale_by_adadelta_transform{{{std::move(o.rho), std::move(o.epsilon)}}};
}

struct adadelta_options {
  hyperparameter learning_rate = 1;
  hyperparameter rho = 0.9;
  hyperparameter epsilon = 1e-6;
  hyperparameter weight_decay = 0;
};

/// Adadelta; weight decay is added to the gradient.
/// @formula d = sqrt(D + epsilon) / sqrt(nu + epsilon) g, with running means nu of g^2 and D of d^2; p -=
///   learning_rate d
/// @states two for each parameter
/// @paper Zeiler, 2012
/// @torch torch.optim.Adadelta
/// @optax optax.adadelta
template <class Options = adadelta_options>
auto adadelta(Options given = {}) {
  auto& o = detail::given_options<adadelta_options>(given);
  return chain(add_decayed_weights(std::move(o.weight_decay)),
               scale_by_adadelta({std::move(o.rho), std::move(o.epsilon)}),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
