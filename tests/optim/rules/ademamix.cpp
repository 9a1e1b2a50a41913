// SPDX-License-Identifier: BSL-1.0
// ademamix against its paper's algorithm 1 and equations 4 and 5 (Pagliardini, Ablin and Grangier, 2024).
#include "optim/behaviour.hpp"
#include "optim/papers.hpp"

namespace {

struct element_state {
  double m1 = 0, m2 = 0, nu = 0;
};

/// One step of algorithm 1, with alpha and beta3 as they are in that step.
void update(element_state& s, int t, double& p, double g, double beta3, double alpha, double decay) {
  const double beta1 = 0.9, beta2 = 0.95, rate = 0.02, epsilon = 1e-6;
  s.m1 = beta1 * s.m1 + (1 - beta1) * g;
  s.m2 = beta3 * s.m2 + (1 - beta3) * g;
  s.nu = beta2 * s.nu + (1 - beta2) * g * g;
  const double m1 = s.m1 / (1 - std::pow(beta1, t)), nu = s.nu / (1 - std::pow(beta2, t));
  p -= rate * ((m1 + alpha * s.m2) / (std::sqrt(nu) + epsilon) + decay * p);
}

}  // namespace

TEST_CASE("ademamix: Pagliardini et al., 2024, algorithm 1") {
  std::array<element_state, 17> states;
  papers::agree_by_element(
      tl::ademamix({.learning_rate = 0.02,
                    .beta2 = 0.95,
                    .beta3 = 0.99,
                    .alpha = 4,
                    .epsilon = 1e-6,
                    .weight_decay = 0.1}),
      [&](int t, double& p, double g, std::size_t i) { update(states[i], t, p, g, 0.99, 4, 0.1); });
}

TEST_CASE("ademamix warms up alpha and beta3 as the paper's schedulers do") {
  std::array<element_state, 17> states;
  const int alpha_steps = 20, beta3_steps = 30;  // of 50
  const double alpha_end = 8, start = 0.9, end = 0.999;
  papers::agree_by_element(
      tl::ademamix({.learning_rate = 0.02,
                    .beta2 = 0.95,
                    .beta3 = end,
                    .alpha = alpha_end,
                    .epsilon = 1e-6,
                    .beta3_warmup = beta3_steps,
                    .alpha_warmup = alpha_steps}),
      [&](int t, double& p, double g, std::size_t i) {
        const double alpha = std::min(t * alpha_end / alpha_steps, alpha_end);
        const double share = static_cast<double>(t) / beta3_steps;
        const double beta3 = t >= beta3_steps
                                 ? end
                                 : std::min(std::exp(std::log(start) * std::log(end) /
                                                     ((1 - share) * std::log(end) + share * std::log(start))),
                                            end);
        update(states[i], t, p, g, beta3, alpha, 0);
      });
}

TEST_CASE("the warm-up of beta3 makes the half-life grow evenly") {
  const tl::hyperparameter beta3 = tl::scale_by_ademamix({.beta3 = 0.9999, .beta3_warmup = 10}).hypers[2];
  const auto half_life = [](double beta) { return std::log(0.5) / std::log(beta); };
  const double first = half_life(0.9), last = half_life(0.9999);
  for (int t = 1; t <= 12; ++t)
    CHECK(half_life(beta3.at(t - 1)) == test::Approx(first + (last - first) * std::min(t, 10) / 10));
  CHECK(beta3.at(1000) == 0.9999);
  // nothing to start from, and nowhere to go
  CHECK(std::isfinite(tl::scale_by_ademamix({.beta1 = 0, .beta3_warmup = 10}).hypers[2].at(3)));
  CHECK(tl::scale_by_ademamix({.beta1 = 0.9, .beta3 = 0.5, .beta3_warmup = 10}).hypers[2].at(3) == 0.5);
}

TEST_CASE("ademamix takes schedules of its own, and no negative warm-up") {
  const auto alpha = [](std::int64_t step) { return step < 2 ? 1.0 : 2.0; };
  const auto hypers = tl::scale_by_ademamix({.alpha = alpha, .alpha_warmup = 4}).hypers;
  CHECK(hypers[3].at(0) == 0.25);
  CHECK(hypers[3].at(2) == 1.5);
  CHECK(hypers[3].at(9) == 2);
  CHECK(hypers[2].is_number());
  CHECK_THROWS_WITH(tl::ademamix({.beta3_warmup = -1}),
                    "tapeless: ademamix: beta3_warmup is -1; it must be 0 or more");
  CHECK_THROWS_WITH(tl::ademamix({.alpha_warmup = -1}), test::contains("alpha_warmup is -1"));
}

TEST_CASE("ademamix") {
  behaviour::check(
      [](const tl::hyperparameter& rate) { return tl::ademamix({.learning_rate = rate, .beta3 = 0.99}); },
      0.05, 0.05);
}
