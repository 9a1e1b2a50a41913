// SPDX-License-Identifier: BSL-1.0
// Rules that treat each element alone, against their papers' pseudo-code.
#include "optim/papers.hpp"

using std::pow;
using std::sqrt;
using state = std::vector<double>;

TEST_CASE("adabelief: Zhuang et al., 2020, algorithm 2") {
  state m(17), s(17);
  papers::agree_by_element(
      tl::adabelief({.learning_rate = 0.02, .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-8}),
      [&](int t, double& p, double g, std::size_t i) {
        m[i] = 0.8 * m[i] + 0.2 * g;
        s[i] = 0.95 * s[i] + 0.05 * (g - m[i]) * (g - m[i]) + 1e-8;
        p -= 0.02 * m[i] / (1 - pow(0.8, t)) / (sqrt(s[i] / (1 - pow(0.95, t))) + 1e-8);
      });
}

TEST_CASE("adan: Xie et al., 2022, algorithm 1, whose betas are 1 minus ours") {
  const double beta1 = 0.02, beta2 = 0.08, beta3 = 0.01, rate = 0.05, lambda = 0.1;
  state m(17), v(17), n(17), last(17);
  papers::agree_by_element(tl::adan({.learning_rate = rate, .weight_decay = lambda, .debias = false}),
                           [&](int t, double& p, double g, std::size_t i) {
                             const double change = t == 1 ? 0 : g - last[i];
                             last[i] = g;
                             m[i] = (1 - beta1) * m[i] + beta1 * g;
                             v[i] = (1 - beta2) * v[i] + beta2 * change;
                             n[i] = (1 - beta3) * n[i] + beta3 * pow(g + (1 - beta2) * change, 2);
                             const double eta = rate / (sqrt(n[i]) + 1e-8);
                             p = (p - eta * (m[i] + (1 - beta2) * v[i])) / (1 + lambda * rate);
                           });
}

TEST_CASE("adan as in the authors' code, with the bias taken off") {
  state m(17), v(17), n(17), last(17);
  papers::agree_by_element(tl::adan({.learning_rate = 0.01}), [&](int t, double& p, double g, std::size_t i) {
    const double change = t == 1 ? 0 : g - last[i];
    last[i] = g;
    m[i] = 0.98 * m[i] + 0.02 * g;
    v[i] = 0.92 * v[i] + 0.08 * change;
    n[i] = 0.99 * n[i] + 0.01 * pow(g + 0.92 * change, 2);
    const double denominator = sqrt(n[i]) / sqrt(1 - pow(0.99, t)) + 1e-8;
    p -= 0.01 * (m[i] / (1 - pow(0.98, t)) + 0.92 * v[i] / (1 - pow(0.92, t))) / denominator;
  });
}

TEST_CASE("lion: Chen et al., 2023, program 1") {
  state m(17);
  papers::agree_by_element(
      tl::lion({.learning_rate = 0.01, .beta1 = 0.9, .beta2 = 0.99, .weight_decay = 0.1}),
      [&](int, double& p, double g, std::size_t i) {
        const double update = papers::sign(0.9 * m[i] + 0.1 * g);
        m[i] = 0.99 * m[i] + 0.01 * g;
        p -= 0.01 * (update + 0.1 * p);
      });
}

TEST_CASE("yogi: Zaheer et al., 2018, algorithm 2") {
  state m(17), v(17, 0.25);
  papers::agree_by_element(tl::yogi({.learning_rate = 0.03, .beta2 = 0.9, .initial_accumulator = 0.25}),
                           [&](int, double& p, double g, std::size_t i) {
                             m[i] = 0.9 * m[i] + 0.1 * g;
                             v[i] -= 0.1 * papers::sign(v[i] - g * g) * g * g;
                             p -= 0.03 * m[i] / (sqrt(v[i]) + 1e-3);
                           });
}

TEST_CASE("yogi without bias") {
  state m(17), v(17, 1e-6);
  papers::agree_by_element(tl::yogi({.debias = true}), [&](int t, double& p, double g, std::size_t i) {
    m[i] = 0.9 * m[i] + 0.1 * g;
    v[i] -= 0.001 * papers::sign(v[i] - g * g) * g * g;
    p -= 0.01 * m[i] / (1 - pow(0.9, t)) / (sqrt(v[i] / (1 - pow(0.999, t))) + 1e-3);
  });
}

TEST_CASE("radam with the paper's threshold: Liu et al., 2020, algorithm 2") {
  state m(17), v(17);
  const double beta2 = 0.9, most = 2 / (1 - beta2) - 1;
  papers::agree_by_element(
      tl::radam({.learning_rate = 0.01, .beta2 = beta2, .epsilon = 1e-12, .threshold = 4}),
      [&](int t, double& p, double g, std::size_t i) {
        m[i] = 0.9 * m[i] + 0.1 * g;
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
        const double mean = m[i] / (1 - pow(0.9, t));
        const double length = most - 2 * t * pow(beta2, t) / (1 - pow(beta2, t));
        if (length > 4) {
          const double r = sqrt((length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length));
          p -= 0.01 * r * mean / (sqrt(v[i]) + 1e-12) * sqrt(1 - pow(beta2, t));
        } else {
          p -= 0.01 * mean;
        }
      });
}

TEST_CASE("nadamw: the formula of nadam, then decoupled weight decay") {
  state m(17), v(17);
  papers::agree_by_element(
      tl::nadamw({.learning_rate = 0.01, .weight_decay = 0.1}),
      [&](int t, double& p, double g, std::size_t i) {
        const auto momentum_at = [](int s) { return 0.9 * (1 - 0.5 * pow(0.96, 0.004 * s)); };
        double product = 1;
        for (int s = 1; s <= t; ++s) product *= momentum_at(s);
        m[i] = 0.9 * m[i] + 0.1 * g;
        v[i] = 0.999 * v[i] + 0.001 * g * g;
        const double next = momentum_at(t + 1);
        const double ahead = (1 - momentum_at(t)) / (1 - product) * g + next / (1 - product * next) * m[i];
        p -= 0.01 * (ahead / (sqrt(v[i] / (1 - pow(0.999, t))) + 1e-8) + 0.1 * p);
      });
}
