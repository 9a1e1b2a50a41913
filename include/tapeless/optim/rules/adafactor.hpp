// SPDX-License-Identifier: BSL-1.0
// scale_by_adafactor, adafactor: the second moment from the means of rows and columns.
#pragma once

#include <concepts>

#include <tapeless/ops/reduction/mean.hpp>
#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/transforms/chain.hpp>

namespace tapeless {

struct scale_by_adafactor_options {
  hyperparameter decay = 0.8;      ///< the second moment forgets with 1 - t^-decay
  hyperparameter epsilon = 1e-30;  ///< is added to squares of the gradient
  hyperparameter clip = 1;         ///< the largest root of the mean square that a step may have
};

namespace detail {

/// The running mean, kept as the state Label, of the means over the axes, which stay with extent 1.
template <name Label>
constexpr value mean_over(rule_context& c, value squared, value share, unsigned axes) {
  const value mean = mean_operation::build(squared, axes, true);
  const value kept = c.state<Label>(shape_of(mean)), next = kept + share * (mean - kept);
  c.set(kept, next);
  return next;
}

}  // namespace detail

struct scale_by_adafactor_transform : gradient_transform<3> {
  static constexpr std::string_view label = "scale_by_adafactor";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 3> hyper_names{"decay", "epsilon", "clip"};
  static constexpr std::array<hyperparameter_range, 3> hyper_ranges{ranges::positive, ranges::not_negative,
                                                                    ranges::positive};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value share = pow(c.step(), -c.hyper(0)), squared = square(g) + c.hyper(1);
    Value u;
    if (g.rank() < 2) {
      const Value v = c.state<"adafactor.nu">(), next = v + share * (squared - v);
      c.set(v, next);
      u = g / sqrt(next);
    } else {
      const Value rows = detail::mean_over<"adafactor.rows">(c, squared, share, detail::axes_of_unit(g));
      const Value columns = detail::mean_over<"adafactor.columns">(c, squared, share, 1u);
      const Value all = mean_operation::build(rows, 1u, true);
      u = g / (sqrt(rows / all) * sqrt(columns));
    }
    const Value size = detail::length_of(u) * (1.0 / sqrt(detail::count_of(u)));
    return u / max(size / c.hyper(2), 1.0);
  }
};

/// u / max(1, rms(u) / clip), where u = g / sqrt(nu). With b = 1 - t^-decay, nu is for vectors the running
/// mean of g^2 + epsilon. Otherwise it is R C / mean(R), from the running means R over all axes but the first
/// and C over the first (Shazeer and Stern, 2018, algorithms 4 and 5). PyTorch takes the last two axes, which
/// is the same for matrices, and puts epsilon elsewhere. A number for each row and column.
template <class Options = scale_by_adafactor_options>
auto scale_by_adafactor(Options given = {}) {
  auto& o = detail::given_options<scale_by_adafactor_options>(given);
  return scale_by_adafactor_transform{{{std::move(o.decay), std::move(o.epsilon), std::move(o.clip)}}};
}

struct relative_step_transform : gradient_transform<3> {
  static constexpr bool descends = true;
  static constexpr std::string_view label = "relative_step";
  static constexpr std::array<name, 3> hyper_names{"learning_rate", "min_scale", "weight_decay"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value p = c.parameter(), rate = min(c.hyper(0), 1.0 / sqrt(c.step()));
    const Value size = detail::length_of(p) * (1.0 / sqrt(detail::count_of(p)));
    return (-rate * max(size, c.hyper(1))) * g - (c.hyper(0) * c.hyper(2)) * p;
  }
};

struct adafactor_options {
  hyperparameter learning_rate = 1e-2;
  hyperparameter decay = 0.8;       ///< as in scale_by_adafactor_options
  hyperparameter epsilon = 1e-30;   ///< as in scale_by_adafactor_options
  hyperparameter min_scale = 1e-3;  ///< of a parameter whose root of the mean square is smaller
  hyperparameter clip = 1;          ///< as in scale_by_adafactor_options
  hyperparameter weight_decay = 0;
};

/// Adafactor: p -= max(min_scale, rms(p)) * min(learning_rate, 1 / sqrt(t)) * scale_by_adafactor, and
/// learning_rate * weight_decay * p, as PyTorch's decoupled decay.
/// @formula u = g / sqrt(nu), nu from running means over rows and columns; p -= max(min_scale, rms(p))
///   min(learning_rate, 1 / sqrt(t)) u / max(1, rms(u) / clip)
/// @states a number for each row and column; of vectors one for each element
/// @paper Shazeer and Stern, 2018
/// @torch torch.optim.Adafactor
/// @optax optax.adafactor
template <class Options = adafactor_options>
auto adafactor(Options given = {}) {
  auto& o = detail::given_options<adafactor_options>(given);
  return chain(scale_by_adafactor({std::move(o.decay), std::move(o.epsilon), std::move(o.clip)}),
               relative_step_transform{
                   {{std::move(o.learning_rate), std::move(o.min_scale), std::move(o.weight_decay)}}});
}

}  // namespace tapeless
