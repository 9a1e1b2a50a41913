// SPDX-License-Identifier: BSL-1.0
// scale_by_ademamix, ademamix: Adam with a second, slower mean of the gradient.
#pragma once

#include <algorithm>
#include <concepts>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/optim/base/moments.hpp>
#include <tapeless/optim/transforms/add_decayed_weights.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/optim/transforms/scale_by_learning_rate.hpp>

namespace tapeless {

namespace detail {

/// The share of a warm-up that is done in a step, counted from 0: 1 / steps in the first.
inline double warmed_up(std::int64_t step, std::int64_t steps) {
  return std::min(1.0, static_cast<double>(step + 1) / static_cast<double>(steps));
}

TAPELESS_WARM inline void check_warmup(std::string_view option, std::int64_t steps) {
  if (steps < 0) throw_error({"ademamix: ", option, " is ", steps, "; it must be 0 or more"});
}

// Schedules, not hyperparameters, so that a program without this rule does not compile what holds them.

/// The value, reached in even steps from 0.
struct linear_warmup {
  hyperparameter end;
  std::int64_t steps;
  double operator()(std::int64_t step) const { return end.at(step) * warmed_up(step, steps); }
};

/// The decay, reached from another one so that the half-life of what it forgets grows evenly: the half-life
/// goes as -1 / log(decay).
struct half_life_warmup {
  hyperparameter start, end;
  std::int64_t steps;
  double operator()(std::int64_t step) const {
    const double share = warmed_up(step, steps), last = end.at(step);
    if (share >= 1) return last;
    return std::min(last, std::exp(1 / ((1 - share) / std::log(start.at(step)) + share / std::log(last))));
  }
};

}  // namespace detail

struct scale_by_ademamix_options {
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter beta3 = 0.9999;
  hyperparameter alpha = 5;
  hyperparameter epsilon = 1e-8;
  std::int64_t beta3_warmup = 0;  ///< steps in which beta3 grows from beta1
  std::int64_t alpha_warmup = 0;  ///< steps in which alpha grows from 0
};

struct scale_by_ademamix_transform : gradient_transform<5> {
  static constexpr std::string_view label = "scale_by_ademamix";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 5> hyper_names{"beta1", "beta2", "beta3", "alpha", "epsilon"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value beta1 = c.hyper(0), beta2 = c.hyper(1), alpha = c.hyper(3), epsilon = c.hyper(4);
    const Value fast = detail::running_mean<"ademamix.fast">(c, beta1, g);
    const Value slow = detail::running_mean<"ademamix.slow">(c, c.hyper(2), g);
    const Value nu = detail::running_mean<"ademamix.nu">(c, beta2, square(g));
    return (fast * detail::debias(c, beta1) + alpha * slow) /
           (sqrt(nu) * sqrt(detail::debias(c, beta2)) + epsilon);
  }
};

/// (fast / (1 - beta1^t) + alpha * slow) / (sqrt(nu / (1 - beta2^t)) + epsilon), where fast and slow are
/// running means of the gradient with beta1 and beta3, and nu is that of its square with beta2. The bias of
/// slow stays: it starts at zero. Over `alpha_warmup` steps alpha grows evenly from 0, over `beta3_warmup`
/// steps the half-life of slow grows evenly from that of fast. Three states for each parameter (Pagliardini,
/// Ablin and Grangier, 2024, arXiv:2409.03137). Throws an error where a warm-up is negative.
template <class Options = scale_by_ademamix_options>
auto scale_by_ademamix(Options given = {}) {
  auto& o = detail::given_options<scale_by_ademamix_options>(given);
  detail::check_warmup("beta3_warmup", o.beta3_warmup);
  detail::check_warmup("alpha_warmup", o.alpha_warmup);
  if (o.beta3_warmup > 0) o.beta3 = detail::half_life_warmup{o.beta1, std::move(o.beta3), o.beta3_warmup};
  if (o.alpha_warmup > 0) o.alpha = detail::linear_warmup{std::move(o.alpha), o.alpha_warmup};
  return scale_by_ademamix_transform{{{std::move(o.beta1), std::move(o.beta2), std::move(o.beta3),
                                       std::move(o.alpha), std::move(o.epsilon)}}};
}

struct ademamix_options {
  hyperparameter learning_rate = 1e-3;
  hyperparameter beta1 = 0.9;
  hyperparameter beta2 = 0.999;
  hyperparameter beta3 = 0.9999;
  hyperparameter alpha = 5;
  hyperparameter epsilon = 1e-8;
  hyperparameter weight_decay = 0;
  std::int64_t beta3_warmup = 0;  ///< steps in which beta3 grows from beta1
  std::int64_t alpha_warmup = 0;  ///< steps in which alpha grows from 0
};

/// AdEMAMix: p -= learning_rate * (scale_by_ademamix + weight_decay * p). The authors let both warm-ups last
/// as long as the training.
/// @formula p -= learning_rate ((fast / (1 - beta1^t) + alpha slow) / (sqrt(nu / (1 - beta2^t)) +
///   epsilon) + weight_decay p)
/// @states three for each parameter
/// @paper Pagliardini, Ablin and Grangier, 2024
/// @torch none; pytorch_optimizer.AdEMAMix
/// @optax optax.contrib.ademamix
template <class Options = ademamix_options>
auto ademamix(Options given = {}) {
  auto& o = detail::given_options<ademamix_options>(given);
  return chain(scale_by_ademamix({std::move(o.beta1), std::move(o.beta2), std::move(o.beta3),
                                  std::move(o.alpha), std::move(o.epsilon), o.beta3_warmup, o.alpha_warmup}),
               add_decayed_weights(std::move(o.weight_decay)),
               scale_by_learning_rate(std::move(o.learning_rate)));
}

}  // namespace tapeless
