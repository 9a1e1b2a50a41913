// SPDX-License-Identifier: BSL-1.0
// dadapt: Adam that finds its learning rate, by D-adaptation.
#pragma once

#include <concepts>

#include <tapeless/optim/rules/distance.hpp>

namespace tapeless {

using dadapt_options = distance_options;

struct scale_by_dadapt_transform : detail::distance_transform {
  static constexpr std::string_view label = "dadapt";
  using detail::distance_transform::distance_transform;
  template <std::same_as<value> Value = value>
  static constexpr void transform_all(list<rule_context>& parameters) {
    rule_context& one = parameters[0];
    const Value beta1 = one.hyper(1), beta2 = one.hyper(2), root = sqrt(beta2);
    const Value kept_d = one.shared_state<"dadapt.d">(), kept_r = one.shared_state<"dadapt.r">();
    const Value d = where(one.shared_step() == 1.0, one.hyper(5), cast(kept_d, element::number));
    const Value rate = d * one.hyper(0);
    Value ways, sizes;
    for (rule_context& c : parameters) {
      const Value g = c.update();
      const Value m = c.state<"dadapt.m">(), v = c.state<"dadapt.v">(), s = c.state<"dadapt.s">();
      const Value next_m = beta1 * m + ((1.0 - beta1) * rate) * g;
      const Value next_v = beta2 * v + (1.0 - beta2) * square(g);
      const Value next_s = root * s + ((1.0 - root) * rate) * g;
      const Value scale = sqrt(next_v) + c.hyper(3);
      const Value way = c.counted(cast(detail::sum_of(g * s / scale), element::number));
      const Value size = cast(detail::sum_of(abs(c.counted(next_s, s))), element::number);
      ways = ways.exists() ? ways + way : way;
      sizes = sizes.exists() ? sizes + size : size;
      c.set(m, next_m);
      c.set(v, next_v);
      c.set(s, next_s);
      c.set_update(-(next_m / scale) - (rate * c.hyper(4)) * c.parameter());
    }
    const Value r = root * cast(kept_r, element::number) + (1.0 - root) * rate * ways, none = sizes == 0.0;
    one.set(kept_r, cast(r, kept_r.type()));
    const Value better = r / ((1.0 - root) * where(none, 1.0, sizes));
    one.set(kept_d, cast(where(none, d, max(d, better)), kept_d.type()));
  }
};

/// D-Adapt Adam: Adam without its corrections of bias, with the learning rate learning_rate * d, the same for
/// all parameters. d is a growing lower bound of the distance from the first parameters to the solution
/// (Defazio and Mishchenko, 2023, algorithm 5; with decoupled weight decay). learning_rate is 1, or a
/// schedule that falls from 1. <g, s> is weighted by the new v, as in the paper, where the authors' code
/// takes that before the step. A first step whose gradients are all zero counts, which their code leaves out.
/// Three states for each parameter, and two numbers.
/// @formula as adam's without corrections of bias, with the learning rate learning_rate d, where d grows
///   towards the distance to the solution
/// @states three for each parameter, and two numbers
/// @paper Defazio and Mishchenko, 2023
/// @torch none; dadaptation.DAdaptAdam
/// @optax optax.contrib.dadapt_adamw
template <class Options = dadapt_options>
auto dadapt(Options given = {}) {
  auto& o = detail::given_options<dadapt_options>(given);
  return chain(scale_by_dadapt_transform(std::move(o)));
}

}  // namespace tapeless
