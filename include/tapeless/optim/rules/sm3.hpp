// SPDX-License-Identifier: BSL-1.0
// scale_by_sm3, sm3: Adagrad that remembers one number for each row and column.
#pragma once

#include <concepts>
#include <utility>

#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/ema.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

namespace detail {

/// One state for each axis, of its extent; of a scalar the scalar itself.
template <int... Axes>
constexpr int sm3_covers(rule_context& c, value g, value* states, std::integer_sequence<int, Axes...>) {
  const auto cover = [&](auto label, int axis) {
    if (axis >= g.rank() && axis > 0) return;
    shape_list shape = shape_of(g);
    for (int i = 0; i < shape.rank; ++i)
      if (i != axis) shape.extents[i] = 1;
    states[axis] = c.state<decltype(label)::value>(shape);
  };
  (cover(std::integral_constant<name, name{"sm3.axis"} + Axes>{}, Axes), ...);
  return g.rank() > 1 ? g.rank() : 1;
}

}  // namespace detail

struct scale_by_sm3_transform : gradient_transform<0> {
  static constexpr std::string_view label = "scale_by_sm3";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 0> hyper_names{};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    Value before[max_rank];
    const int count = detail::sm3_covers(c, g, before, std::make_integer_sequence<int, max_rank>{});
    Value nu = before[0];
    for (int i = 1; i < count; ++i) nu = min(nu, before[i]);
    nu = nu + square(g);
    for (int i = 0; i < count; ++i)
      c.set(before[i],
            count == 1 ? nu : max_reduction_operation::build(nu, ((1u << count) - 1) & ~(1u << i), true));
    const Value none = nu == 0.0;
    return where(none, 0.0, g / sqrt(where(none, 1.0, nu)));
  }
};

/// g / sqrt(nu), 0 where nu is 0: nu is g^2 plus the smallest of the numbers that are kept for the element's
/// index along each axis. Afterwards each of these is the largest nu with that index (Anil, Gupta, Koren and
/// Singer, 2019, SM3-II). A number for each index along each axis of each parameter.
inline auto scale_by_sm3() { return scale_by_sm3_transform{}; }

struct sm3_options {
  hyperparameter learning_rate = 1e-1;
};

struct sm3_momentum_options {
  hyperparameter learning_rate = 1e-1;
  required_hyperparameter momentum;
};

/// SM3 without momentum: it keeps nothing of the size of the parameters. optax's has 1e-8 more under the
/// root, and a momentum of 0.9 unless it is told another.
/// @formula nu = g^2 + the smallest number kept for the element's indices; p -= learning_rate g /
///   sqrt(nu)
/// @states a number for each index along each axis; one for each parameter more with momentum
/// @paper Anil, Gupta, Koren and Singer, 2019
/// @torch none; pytorch_optimizer.SM3
/// @optax optax.sm3
template <class Options = sm3_options>
auto sm3(Options given = {}) {
  auto& o = detail::given_options<sm3_options>(given);
  return chain(scale_by_sm3(), scale_by_learning_rate(std::move(o.learning_rate)));
}

/// The same with momentum, chosen by naming it: m = momentum * m + (1 - momentum) * scale_by_sm3. One state
/// for each parameter more.
template <std::same_as<sm3_momentum_options> Options = sm3_momentum_options>
auto sm3(Options o) {
  return chain(scale_by_sm3(), ema({.decay = o.momentum, .debias = false}),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
