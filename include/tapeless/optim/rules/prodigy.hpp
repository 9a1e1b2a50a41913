// SPDX-License-Identifier: BSL-1.0
// prodigy: Adam that finds its learning rate.
#pragma once

#include <concepts>

#include <tapeless/optim/rules/distance.hpp>

namespace tapeless {

using prodigy_options = distance_options;

struct scale_by_prodigy_transform : detail::distance_transform {
  static constexpr std::string_view label = "prodigy";
  using detail::distance_transform::distance_transform;
  template <std::same_as<value> Value = value>
  static constexpr void transform_all(list<rule_context>& parameters) {
    if (!are_fine_enough(parameters)) return;
    rule_context& one = parameters[0];
    const Value gamma = one.hyper(0), beta1 = one.hyper(1), beta2 = one.hyper(2), root = sqrt(beta2);
    const Value first = one.shared_step() == 1.0;
    const Value kept_d = one.shared_state<"prodigy.d">(), kept_r = one.shared_state<"prodigy.r">();
    const Value d = where(first, one.hyper(5), cast(kept_d, element::number));
    const Value squared = (1.0 - root) * gamma * square(d);
    Value ways, sizes;
    for (rule_context& c : parameters) {
      const Value g = c.update(), p = c.parameter();
      const Value start = c.state<"prodigy.start">(), x0 = where(c.step() == 1.0, p, start);
      const Value m = c.state<"prodigy.m">(), v = c.state<"prodigy.v">(), s = c.state<"prodigy.s">();
      const Value next_m = beta1 * m + ((1.0 - beta1) * d) * g;
      const Value next_v = beta2 * v + ((1.0 - beta2) * square(d)) * square(g);
      const Value next_s = root * s + squared * g;
      const Value way = c.counted(cast(detail::sum_of(g * (x0 - p)), element::number));
      const Value size = cast(detail::sum_of(abs(c.counted(next_s, s))), element::number);
      ways = ways.exists() ? ways + way : way;
      sizes = sizes.exists() ? sizes + size : size;
      c.set(start, x0);
      c.set(m, next_m);
      c.set(v, next_v);
      c.set(s, next_s);
      const Value step = next_m / (sqrt(next_v) + d * c.hyper(3)) + c.hyper(4) * p;
      c.set_update((-gamma * d) * where(d == 0.0, 0.0, step));
    }
    const Value r = root * cast(kept_r, element::number) + squared * ways, none = sizes == 0.0;
    one.set(kept_r, cast(r, kept_r.type()));
    one.set(kept_d, cast(where(none, d, max(d, r / where(none, 1.0, sizes))), kept_d.type()));
  }

 private:
  /// Parameters of f16 that are not 0 stay where they are in steps of the first distance, and d, which grows
  /// as they move, never does.
  static constexpr bool are_fine_enough(const list<rule_context>& parameters) {
    for (const rule_context& c : parameters)
      if (detail::stored_of(c.parameter()).type() == element::f16) {
        c.owned().fail(
            text() << label
                   << "'s first steps are too small for f16, which parameters of this model have: write the "
                      "model in float and train it by tl::mixed_precision<tl::f16>("
                   << label << "({..}))");
        return false;
      }
    return true;
  }
};

/// Prodigy: Adam with the learning rate learning_rate * d, the same for all parameters. d is a growing
/// estimate of the distance from the first parameters to the solution (Mishchenko and Defazio, 2024,
/// algorithm 4; with decoupled weight decay). learning_rate is 1, or a schedule that falls from 1. epsilon
/// counts times the d before the step, in the authors' code times that after it, and in optax's, which also
/// takes the moments' bias off the learning rate. Where the loss has no minimum, d grows until it overflows.
/// Four states for each parameter, and two numbers. Parameters of f16 are refused, which steps of the first
/// distance would not move, nor those of bf16 that are not 0: mixed_precision<f16> has copies of them in
/// float.
/// @formula as adam's, with the learning rate learning_rate d, where d grows towards the distance to the
///   solution
/// @states four for each parameter, and two numbers
/// @paper Mishchenko and Defazio, 2024
/// @torch none; prodigyopt.Prodigy
/// @optax optax.contrib.prodigy
template <class Options = prodigy_options>
auto prodigy(Options given = {}) {
  auto& o = detail::given_options<prodigy_options>(given);
  return chain(scale_by_prodigy_transform(std::move(o)));
}

}  // namespace tapeless
