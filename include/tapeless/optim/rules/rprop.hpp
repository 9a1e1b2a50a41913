// SPDX-License-Identifier: BSL-1.0
// scale_by_rprop, rprop: steps from the signs of the gradient alone.
#pragma once

#include <concepts>

#include <tapeless/optim/transforms/chain.hpp>

namespace tapeless {

struct rprop_options {
  hyperparameter learning_rate = 1e-2;  ///< the first step's size
  hyperparameter shrink = 0.5;
  hyperparameter grow = 1.2;
  hyperparameter min_step = 1e-6;
  hyperparameter max_step = 50;
};

struct scale_by_rprop_transform : gradient_transform<5> {
  static constexpr bool descends = true;
  static constexpr std::string_view label = "scale_by_rprop";
  static constexpr std::array<name, 5> hyper_names{"learning_rate", "shrink", "grow", "min_step", "max_step"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value sizes = c.state<"rprop.step">(), previous = c.state<"rprop.previous">();
    const Value agreement = sign(g) * sign(previous);
    const Value factor = where(agreement > 0.0, c.hyper(2), where(agreement < 0.0, c.hyper(1), 1.0));
    const Value start = where(c.is_first_step(), c.hyper(0), sizes);
    const Value size = min(max(start * factor, c.hyper(3)), c.hyper(4));
    const Value used = where(agreement < 0.0, 0.0, g);
    c.set(sizes, size);
    c.set(previous, used);
    return -sign(used) * size;
  }
};

/// -sign(g) * size, where size starts at learning_rate and stays within [min_step, max_step]. It is
/// multiplied by grow where the gradient's sign is the last step's, by shrink where it is the opposite. Where
/// the sign has changed, nothing is done, and the next step counts as the first. (Riedmiller and Braun, 1993;
/// the variant iRprop- of Igel and Huesken, 2000, as PyTorch's.) Two states for each parameter.
template <class Options = rprop_options>
auto scale_by_rprop(Options given = {}) {
  auto& o = detail::given_options<rprop_options>(given);
  return scale_by_rprop_transform{{{std::move(o.learning_rate), std::move(o.shrink), std::move(o.grow),
                                    std::move(o.min_step), std::move(o.max_step)}}};
}

/// Rprop, for gradients of the whole data set.
/// @formula size *= grow where g's sign is the last step's, shrink where it is the opposite; p -= sign(g)
///   size
/// @states two for each parameter
/// @paper Riedmiller and Braun, 1993
/// @torch torch.optim.Rprop
/// @optax optax.rprop
template <class Options = rprop_options>
auto rprop(Options given = {}) {
  auto& o = detail::given_options<rprop_options>(given);
  return chain(scale_by_rprop(std::move(o)));
}

}  // namespace tapeless
