// SPDX-License-Identifier: BSL-1.0
// fromage: steps of a length in proportion to the parameter's, which never makes it grow.
#pragma once

#include <concepts>

#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/transforms/chain.hpp>

namespace tapeless {

struct fromage_options {
  hyperparameter learning_rate = 1e-2;
};

struct scale_by_fromage_transform : gradient_transform<1> {
  static constexpr bool descends = true;
  static constexpr std::string_view label = "scale_by_fromage";
  static constexpr std::array<name, 1> hyper_names{"learning_rate"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value rate = c.hyper(0), p = c.parameter(),
                scaled = detail::scaled_by(g, detail::trust_ratio(p, g));
    const Value shrink = 1.0 / sqrt(1.0 + square(rate));
    return (shrink - 1.0) * p - (shrink * rate) * scaled;
  }
};

/// The step to (p - learning_rate * g * |p| / |g|) / sqrt(1 + learning_rate^2), with Euclidean lengths; where
/// one of them is 0, with g itself (Bernstein, Vahdat, Yue and Liu, 2020). Keeps no state.
template <class Options = fromage_options>
auto scale_by_fromage(Options given = {}) {
  auto& o = detail::given_options<fromage_options>(given);
  return scale_by_fromage_transform{{{std::move(o.learning_rate)}}};
}

/// Fromage.
/// @formula p = (p - learning_rate g |p| / |g|) / sqrt(1 + learning_rate^2)
/// @states none
/// @paper Bernstein, Vahdat, Yue and Liu, 2020
/// @torch none; pytorch_optimizer.Fromage
/// @optax optax.fromage
template <class Options = fromage_options>
auto fromage(Options given = {}) {
  auto& o = detail::given_options<fromage_options>(given);
  return chain(scale_by_fromage(std::move(o)));
}

}  // namespace tapeless
