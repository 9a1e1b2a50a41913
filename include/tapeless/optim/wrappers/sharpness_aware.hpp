// SPDX-License-Identifier: BSL-1.0
// sharpness_aware(rule): gradients from where the loss is worst nearby.
#pragma once

#include <tapeless/graph/transform/substitute.hpp>
#include <tapeless/optim/base/norms.hpp>
#include <tapeless/optim/wrappers/gradients.hpp>

namespace tapeless {

struct sharpness_aware_options {
  hyperparameter radius = 0.05;
};

/// A rule that looks at the loss's gradients in another place than the parameters. It wraps a whole rule.
template <class Rule, bool Adaptive>
class sharpness_aware_rule : public wrapped_rule<Rule, "radius"> {
  using base = wrapped_rule<Rule, "radius">;

 public:
  static constexpr std::string_view label = Adaptive ? "adaptive_sharpness_aware" : "sharpness_aware";
  using base::base;

  static constexpr void update(list<rule_context>& parameters) { Rule::update(parameters); }

  template <class Seen = own_values>
  static constexpr void gradients(graph& g, value scale, const list<int>& parameters, list<int>& result) {
    gradients_for<Rule, Seen>(g, scale, parameters, result);
    if (g.failed()) return;
    list<int> trained, places;  // and where they are among the parameters
    value total;
    for (int i = 0; i < parameters.size(); ++i) {
      const value p{&g, parameters[i]}, gradient{&g, result[i]};
      if (detail::leaves_out<Rule>(p.get())) continue;
      trained.push(p.id);
      places.push(i);
      const value own = detail::sum_of_squares(Adaptive ? abs(p) * gradient : gradient);
      total = total.exists() ? detail::added(total, own) : own;
    }
    if (!total.exists()) return;
    const value radius = make_hyperparameter(g, first_rule_entry + Rule::hyper_count);
    const value length = radius / (sqrt(total) + 1e-12);
    list<int> elsewhere, there;
    for (int i : places) {
      const value p{&g, parameters[i]}, gradient{&g, result[i]};
      elsewhere.push(
          (Seen::of(g, parameters, i) + detail::scaled_by(Adaptive ? square(p) * gradient : gradient, length))
              .id);
    }
    const int loss = substitute(g, g.outputs[0].node, trained, elsewhere);
    detail::gradients_of({&g, loss}, scale, elsewhere, there);
    for (int i = 0; i < there.size(); ++i) result[places[i]] = there[i];
  }
};

/// The rule, with the gradients of the loss at p + radius * g / |g|, where g are the gradients at the
/// parameters p and |g| is the norm of all of them (Foret et al., 2021). Parameters that the rule leaves out,
/// as a partition without a rule for them does, are not moved and have no share in |g|; those that freezable
/// holds fast are and have. A step costs two forward and two backward passes, on the same samples and the
/// same random numbers.
/// Under mixed_precision the point is made of the float copies and then rounded: of shifts that are smaller
/// than the steps of 16 bits as many weights make one as gives the shift in the mean.
template <class Rule, class Options = sharpness_aware_options>
auto sharpness_aware(Rule rule, Options given = {}) {
  auto& o = detail::given_options<sharpness_aware_options>(given);
  return detail::wrap(std::move(rule), [&](auto r) {
    return sharpness_aware_rule<decltype(r), false>(std::move(r), {std::move(o.radius)});
  });
}

/// The same at p + radius * p^2 * g / | |p| * g |, which does not change when weights are scaled (Kwon et
/// al., 2021; without their offset to |p|).
template <class Rule, class Options = sharpness_aware_options>
auto adaptive_sharpness_aware(Rule rule, Options given = {.radius = 0.5}) {
  auto& o = detail::given_options<sharpness_aware_options>(given);
  return detail::wrap(std::move(rule), [&](auto r) {
    return sharpness_aware_rule<decltype(r), true>(std::move(r), {std::move(o.radius)});
  });
}

}  // namespace tapeless
