// SPDX-License-Identifier: BSL-1.0
// lbfgs({...}): limited-memory BFGS. A rule that a trainer of its own goes by.
#pragma once

#include <array>
#include <concepts>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/optim/base/hyperparameter.hpp>
#include <tapeless/optim/line_search/line_search.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

struct lbfgs_options {
  int history = 10;                   ///< pairs of steps and changes of the gradient that are kept
  hyperparameter learning_rate = 1;   ///< the step length that each line search tries first
  double sufficient_decrease = 1e-4;  ///< c1 of the strong Wolfe conditions
  double curvature = 0.9;             ///< c2
  int evaluations = 25;               ///< of the loss and its gradients in one line search, at most
};

class lbfgs_rule {
 public:
  static constexpr int hyper_count = 1;
  static constexpr bool trains_alone = true;

  explicit lbfgs_rule(lbfgs_options o) : options_(std::move(o)) {
    if (options_.history < 1) throw_error({"lbfgs: history is ", options_.history, "; it must be 1 or more"});
    if (options_.evaluations < 1)
      throw_error({"lbfgs: evaluations is ", options_.evaluations, "; it must be 1 or more"});
    if (!(0 < options_.sufficient_decrease && options_.sufficient_decrease < options_.curvature &&
          options_.curvature < 1))
      throw_error("lbfgs: sufficient_decrease must be above 0, curvature above that and below 1");
  }

  static constexpr std::array<name, 1> hyper_names() { return {"learning_rate"}; }
  static constexpr std::array<hyperparameter_range, 1> hyper_ranges() { return {ranges::positive}; }
  void set(std::string_view hyperparameter_label, const hyperparameter& to) {
    if (hyperparameter_label == hyper_names()[0].view()) options_.learning_rate = to;
  }
  void write(std::int64_t step, array_view<double> values) const {
    values[0] = options_.learning_rate.at(step);
  }

  static constexpr std::string_view label = "lbfgs";
  void describe(rule_description& d) const {
    static constexpr auto names = hyper_names();
    d.add_hyperparameters(names, &options_.learning_rate);
  }

  int history() const { return options_.history; }
  line_search_options line_search() const {
    return {options_.sufficient_decrease, options_.curvature, options_.evaluations};
  }

 private:
  lbfgs_options options_;
};

/// L-BFGS with a line search for the strong Wolfe conditions (Liu and Nocedal, 1989; Nocedal and Wright,
/// 2006, algorithms 7.4, 3.5 and 3.6): trainer net{model, lbfgs({.history = 10})}. It is for losses without
/// noise: all samples at once in each step. Of samples that change from step to step it learns too, but its
/// history then mixes several functions. It is a rule for a trainer of its own, and no part of chain,
/// accumulate or partition. Throws an error if an option makes no sense.
/// @formula p += a d with d = -H g, H from the last pairs of steps and changes of the gradient; a with
///   f(p + a d) <= f(p) + c1 a <g, d> and |<g(p + a d), d>| <= c2 |<g, d>|
/// @paper Liu and Nocedal, 1989; Nocedal and Wright, 2006
/// @torch torch.optim.LBFGS(line_search_fn="strong_wolfe")
/// @optax optax.lbfgs
inline lbfgs_rule lbfgs(lbfgs_options o = {}) { return lbfgs_rule(std::move(o)); }

}  // namespace tapeless
