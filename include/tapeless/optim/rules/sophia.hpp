// SPDX-License-Identifier: BSL-1.0
// scale_by_sophia, sophia: steps scaled by an estimate of the Hessian's diagonal, and clipped.
#pragma once

#include <concepts>

#include <tapeless/graph/transform/reverse.hpp>
#include <tapeless/ops/pointwise/clamp.hpp>
#include <tapeless/ops/pointwise/mod.hpp>
#include <tapeless/ops/reduction/sum_to.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

struct scale_by_sophia_options {
  hyperparameter beta1 = 0.96;
  hyperparameter beta2 = 0.99;
  hyperparameter gamma = 0.01;
  hyperparameter epsilon = 1e-12;
  hyperparameter update_period = 10;  ///< steps until the next estimate counts
};

struct scale_by_sophia_transform : gradient_transform<5> {
  static constexpr std::string_view label = "scale_by_sophia";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 5> hyper_names{"beta1", "beta2", "gamma", "epsilon", "update_period"};

  template <std::same_as<value> Value = value>
  static constexpr void transform_all(list<rule_context>& parameters) {
    list<Value> estimates;
    if (!estimate_diagonal(parameters, estimates)) return;
    for (int i = 0; i < parameters.size(); ++i) {
      rule_context& c = parameters[i];
      const Value beta2 = c.hyper(1), counts = mod(c.step() - 1.0, c.hyper(4)) == 0.0;
      const Value m = detail::running_mean<"sophia.m">(c, c.hyper(0), c.update());
      const Value kept = c.state<"sophia.h">();
      const Value h = where(counts, beta2 * kept + (1.0 - beta2) * estimates[i], kept);
      c.set(kept, h);
      c.set_update(clamp(m / max(c.hyper(2) * h, c.hyper(3)), -1.0, 1.0));
    }
  }

 private:
  /// u * (H u) for each parameter, where u has a random sign in each place, and H u is the derivative of <g,
  /// u>.
  static constexpr bool estimate_diagonal(const list<rule_context>& parameters, list<value>& estimates) {
    graph& g = *parameters[0].owned().builder;
    list<int> wrt, products;
    list<value> signs;
    const value along = detail::sum_over(parameters, [&](const rule_context& c) {
      const value u = where(random_like(c.gradient()) < 0.5, make_constant(g, -1, c.gradient().type()), 1.0);
      wrt.push(c.owned().id);
      signs.push(u);
      return detail::sum_of(c.gradient() * u);
    });
    for (const rule_context& c : parameters)
      if (detail::stored_of(c.parameter()).id != c.owned().id) return cannot_derive_copies(c);
    reverse(along, make_constant(g, 1, along.type()), wrt, products);
    bool any = false;
    for (int i = 0; i < products.size(); ++i) {
      any = any || products[i] >= 0;
      const value zero = make_constant(g, 0, signs[i].type());
      estimates.push(products[i] < 0 ? expand(zero, shape_of(signs[i]))
                                     : signs[i] * cast(value{&g, products[i]}, signs[i].type()));
    }
    return any || g.failed() ? !g.failed() : no_second_derivatives(parameters[0]);
  }

  static constexpr bool cannot_derive_copies(const rule_context& c) {
    c.owned().fail(
        text() << "sophia takes second derivatives of the loss, which a model that mixed_precision "
                  "stores in 16 bits does not have: write sophia({...}) without mixed_precision");
    return false;
  }
  static constexpr bool no_second_derivatives(const rule_context& c) {
    text t;
    t << "sophia takes second derivatives of the loss, but ";
    if (c.source().is(family::state)) {
      t << "gets sums of gradients of other steps (accumulate, apply): write sophia({...}) without "
           "accumulate, "
           "and net.step with all samples of an update";
    } else {
      t << "those by \"" << c.owned().get().label->view()
        << "\" and all its other parameters are zero: a loss like this one takes another rule, such as adamw";
    }
    c.owned().fail(t);
    return false;
  }
};

/// m / max(gamma * h, epsilon), clipped to [-1, 1], where m = beta1 m + (1 - beta1) g and, in steps 1, 1 +
/// update_period, ..., h = beta2 h + (1 - beta2) u * (H u): Hutchinson's estimate of the diagonal of the
/// loss's Hessian H, which becomes the second derivatives by each parameter alone (Liu et al., 2023,
/// Sophia-H, whose defaults these are). u has a random sign in each place, drawn by the trainer's seed,
/// rather than the paper's normal numbers: the estimate has less variance, and none where H is diagonal. No
/// bias is taken off m and h, as in the paper; optax's takes it off m. The authors' published code is
/// Sophia-G, another estimate, with gamma * (samples in a batch) * h + 1e-15 as the divisor. Two states for
/// each parameter.
///
/// H u is one more backward pass, through the forward and the backward one. It is computed in each step, also
/// where it does not count: a step takes two to three times as long as adam's. Second derivatives are those
/// of the gradients before other transformations of a chain, by the parameters that the rule is for. An error
/// where the gradients do not depend on the parameters (accumulate, mixed_precision, a linear loss).
template <class Options = scale_by_sophia_options>
auto scale_by_sophia(Options given = {}) {
  auto& o = detail::given_options<scale_by_sophia_options>(given);
  return scale_by_sophia_transform{{{std::move(o.beta1), std::move(o.beta2), std::move(o.gamma),
                                     std::move(o.epsilon), std::move(o.update_period)}}};
}

struct sophia_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.96;
  hyperparameter beta2 = 0.99;
  hyperparameter gamma = 0.01;
  hyperparameter epsilon = 1e-12;
  hyperparameter update_period = 10;
  hyperparameter weight_decay = 0;
};

/// Sophia-H with decoupled weight decay (the paper's is 0.2).
/// @formula m = beta1 m + (1 - beta1) g; h = beta2 h + (1 - beta2) u (H u); p -= learning_rate (clip(m /
///   max(gamma h, epsilon), 1) + weight_decay p)
/// @states two for each parameter
/// @paper Liu et al., 2023
/// @torch none; pytorch_optimizer.SophiaH
/// @optax optax.contrib.sophia
template <class Options = sophia_options>
auto sophia(Options given = {}) {
  auto& o = detail::given_options<sophia_options>(given);
  return chain(scale_by_sophia({std::move(o.beta1), std::move(o.beta2), std::move(o.gamma),
                                std::move(o.epsilon), std::move(o.update_period)}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
