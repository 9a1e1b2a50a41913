// SPDX-License-Identifier: BSL-1.0
// Rules without a schedule or a learning rate, against their papers' pseudo-code.
#include "optim/papers.hpp"

using papers::tensors;
using std::pow;
using std::sqrt;

namespace {

/// Calls f(k, i) for all elements.
template <class F>
void for_each_element(const tensors& p, F f) {
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < p[k].size(); ++i) f(k, i);
}

double rate(std::int64_t step) { return 0.1 * static_cast<double>(step < 10 ? step : 10); }

}  // namespace

// x and z as in the paper, rather than the y that the rule moves.
TEST_CASE("schedule_free_sgd: Defazio et al., 2024, with warm-up and weight decay") {
  tensors x, z;
  double weights = 0;
  papers::agree(tl::schedule_free_sgd({.learning_rate = rate, .momentum = 0.8, .weight_decay = 0.1}),
                [&](int t, tensors& y, const tensors& g) {
                  if (t == 1) x = z = y;
                  const double gamma = rate(t - 1);
                  weights += gamma * gamma;
                  const double c = weights == 0 ? 0 : gamma * gamma / weights;
                  for_each_element(y, [&](std::size_t k, std::size_t i) {
                    z[k][i] -= gamma * (g[k][i] + 0.1 * y[k][i]);
                    x[k][i] = (1 - c) * x[k][i] + c * z[k][i];
                    y[k][i] = (1 - 0.8) * z[k][i] + 0.8 * x[k][i];
                  });
                });
}

TEST_CASE("schedule_free_adamw: Defazio et al., 2024, algorithm 1") {
  tensors x, z, v = papers::zeros();
  papers::agree(tl::schedule_free_adamw({.learning_rate = 0.02, .beta2 = 0.95, .weight_decay = 0.1}),
                [&](int t, tensors& y, const tensors& g) {
                  if (t == 1) x = z = y;
                  for_each_element(y, [&](std::size_t k, std::size_t i) {
                    v[k][i] = 0.95 * v[k][i] + 0.05 * g[k][i] * g[k][i];
                    const double scaled = g[k][i] / (sqrt(v[k][i] / (1 - pow(0.95, t))) + 1e-8);
                    z[k][i] -= 0.02 * (scaled + 0.1 * y[k][i]);
                    x[k][i] = (1 - 1.0 / t) * x[k][i] + z[k][i] / t;
                    y[k][i] = 0.1 * z[k][i] + 0.9 * x[k][i];
                  });
                });
}

TEST_CASE("prodigy: Mishchenko and Defazio, 2024, algorithm 4, with weight decay") {
  const double beta1 = 0.9, beta2 = 0.99, epsilon = 1e-8, gamma = 0.7, decay = 0.01;
  tensors x0, m = papers::zeros(), v = m, s = m;
  double d = 1e-3, r = 0, first = d;
  papers::agree(
      tl::prodigy({.learning_rate = gamma, .beta2 = beta2, .weight_decay = decay, .first_distance = d}),
      [&](int t, tensors& x, const tensors& g) {
        if (t == 1) x0 = x;
        double inner = 0, size = 0;
        for_each_element(x, [&](std::size_t k, std::size_t i) {
          inner += g[k][i] * (x0[k][i] - x[k][i]);
          m[k][i] = beta1 * m[k][i] + (1 - beta1) * d * g[k][i];
          v[k][i] = beta2 * v[k][i] + (1 - beta2) * d * d * g[k][i] * g[k][i];
          s[k][i] = sqrt(beta2) * s[k][i] + (1 - sqrt(beta2)) * gamma * d * d * g[k][i];
          size += std::abs(s[k][i]);
        });
        r = sqrt(beta2) * r + (1 - sqrt(beta2)) * gamma * d * d * inner;
        for_each_element(x, [&](std::size_t k, std::size_t i) {
          x[k][i] -= gamma * d * (m[k][i] / (sqrt(v[k][i]) + d * epsilon) + decay * x[k][i]);
        });
        d = std::max(d, r / size);
      });
  CHECK(d > 1.5 * first);  // the estimate was in use
}

TEST_CASE("dadapt: Defazio and Mishchenko, 2023, algorithm 5, with weight decay") {
  const double beta1 = 0.9, beta2 = 0.99, epsilon = 1e-8, gamma = 0.7, decay = 0.01;
  tensors m = papers::zeros(), v = m, s = m;
  double d = 1e-3, r = 0, first = d;
  papers::agree(
      tl::dadapt({.learning_rate = gamma, .beta2 = beta2, .weight_decay = decay, .first_distance = d}),
      [&](int, tensors& x, const tensors& g) {
        double inner = 0, size = 0;
        for_each_element(x, [&](std::size_t k, std::size_t i) {
          m[k][i] = beta1 * m[k][i] + (1 - beta1) * d * gamma * g[k][i];
          v[k][i] = beta2 * v[k][i] + (1 - beta2) * g[k][i] * g[k][i];
          const double scale = sqrt(v[k][i]) + epsilon;
          inner += g[k][i] * s[k][i] / scale;
          s[k][i] = sqrt(beta2) * s[k][i] + (1 - sqrt(beta2)) * d * gamma * g[k][i];
          size += std::abs(s[k][i]);
          x[k][i] -= m[k][i] / scale + d * gamma * decay * x[k][i];
        });
        r = sqrt(beta2) * r + (1 - sqrt(beta2)) * d * gamma * inner;
        d = std::max(d, r / ((1 - sqrt(beta2)) * size));
      });
  CHECK(d > 1.5 * first);
}
