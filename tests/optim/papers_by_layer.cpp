// SPDX-License-Identifier: BSL-1.0
// Rules that look at the length of a whole parameter, against their papers' pseudo-code.
#include "optim/papers.hpp"

using papers::length;
using papers::tensors;
using std::pow;
using std::sqrt;

TEST_CASE("lamb: You et al., 2020, algorithm 2") {
  tensors m = papers::zeros(), v = papers::zeros();
  papers::agree(
      tl::lamb({.learning_rate = 0.01, .weight_decay = 0.1}), [&](int t, tensors& p, const tensors& g) {
        for (std::size_t k = 0; k < 2; ++k) {
          std::vector<double> u(p[k].size());
          for (std::size_t i = 0; i < u.size(); ++i) {
            m[k][i] = 0.9 * m[k][i] + 0.1 * g[k][i];
            v[k][i] = 0.999 * v[k][i] + 0.001 * g[k][i] * g[k][i];
            u[i] = m[k][i] / (1 - pow(0.9, t)) / (sqrt(v[k][i] / (1 - pow(0.999, t))) + 1e-6) + 0.1 * p[k][i];
          }
          const double ratio = length(p[k]) / length(u);
          for (std::size_t i = 0; i < u.size(); ++i) p[k][i] -= 0.01 * ratio * u[i];
        }
      });
}

TEST_CASE("lars: You, Gitman and Ginsburg, 2017, algorithm 1") {
  const double momentum = 0.8, decay = 0.05, trust = 0.02;
  tensors v = papers::zeros();
  papers::agree(
      tl::lars(
          {.learning_rate = 0.3, .momentum = momentum, .weight_decay = decay, .trust_coefficient = trust}),
      [&](int, tensors& p, const tensors& g) {
        for (std::size_t k = 0; k < 2; ++k) {
          const double local = trust * length(p[k]) / (length(g[k]) + decay * length(p[k]));
          for (std::size_t i = 0; i < p[k].size(); ++i) {
            v[k][i] = momentum * v[k][i] + 0.3 * local * (g[k][i] + decay * p[k][i]);
            p[k][i] -= v[k][i];
          }
        }
      });
}

TEST_CASE("fromage: Bernstein et al., 2020, algorithm 1") {
  papers::agree(tl::fromage({.learning_rate = 0.05}), [](int, tensors& p, const tensors& g) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double ratio = length(p[k]) / length(g[k]);
      for (std::size_t i = 0; i < p[k].size(); ++i)
        p[k][i] = (p[k][i] - 0.05 * ratio * g[k][i]) / sqrt(1 + 0.05 * 0.05);
    }
  });
}
