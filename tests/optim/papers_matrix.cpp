// SPDX-License-Identifier: BSL-1.0
// Rules that take matrices as matrices, against their papers' pseudo-code.
#include "optim/papers.hpp"

using papers::length;
using papers::tensors;
using std::pow;
using std::sqrt;

namespace {

constexpr std::size_t rows = 3, columns = 4;
using matrix = std::vector<double>;

/// x [m, k] y [k, n].
matrix product(const matrix& x, const matrix& y, std::size_t m, std::size_t k, std::size_t n) {
  matrix z(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < k; ++l) z[i * n + j] += x[i * k + l] * y[l * n + j];
  return z;
}

matrix transposed(const matrix& x, std::size_t m, std::size_t n) {
  matrix y(m * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) y[j * m + i] = x[i * n + j];
  return y;
}

/// Adam's moments and its step.
struct adam {
  double operator()(int t, double g, std::size_t i) {
    m.resize(std::max(m.size(), i + 1));
    v.resize(m.size());
    m[i] = 0.9 * m[i] + 0.1 * g;
    v[i] = 0.999 * v[i] + 0.001 * g * g;
    return m[i] / (1 - pow(0.9, t)) / (sqrt(v[i] / (1 - pow(0.999, t))) + 1e-8);
  }
  std::vector<double> m, v;
};

/// The projection of apollo, [rank, rows], of the first parameter, with its uniform numbers.
matrix projection(std::int64_t period, int rank) {
  matrix p(static_cast<std::size_t>(rank) * rows);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const double u = tl::random_operation::apply(index, 2 * period);
    const double w = tl::random_operation::apply(index, 2 * period + 1);
    p[i] = sqrt(-2 * std::log(1 - u) / rank) * std::cos(6.283185307179586 * w);
  }
  return p;
}

template <int Rank, bool ByChannels>
void agree_with_apollo(auto rule, double scale) {
  adam moments, vector_moments;
  double before = 0;
  papers::agree(rule, [&](int t, tensors& p, const tensors& g) {
    constexpr auto r = static_cast<std::size_t>(Rank);
    const matrix low = product(projection((t - 1) / 20, Rank), g[0], r, rows, columns);
    matrix scaled = low, update(12);
    for (std::size_t i = 0; i < low.size(); ++i) scaled[i] = moments(t, low[i], i);
    for (std::size_t j = 0; j < columns; ++j) {
      double own = 0, adams = 0;
      for (std::size_t i = 0; i < r * columns; ++i)
        if (!ByChannels || i % columns == j) own += low[i] * low[i], adams += scaled[i] * scaled[i];
      for (std::size_t i = 0; i < rows; ++i)
        update[i * columns + j] = g[0][i * columns + j] * scale * sqrt(adams / own);
    }
    const double now = length(update);
    const double factor = t > 1 && now > 1.01 * before ? 1.01 * before / now : 1;
    before = now * factor;
    for (std::size_t i = 0; i < 12; ++i) p[0][i] -= 0.01 * (factor * update[i] + 0.1 * p[0][i]);
    for (std::size_t i = 0; i < 5; ++i) p[1][i] -= 0.01 * (vector_moments(t, g[1][i], i) + 0.1 * p[1][i]);
  });
}

}  // namespace

TEST_CASE("apollo of rank 2: Zhu et al., 2024, algorithm 1") {
  agree_with_apollo<2, true>(
      tl::apollo<2>({.learning_rate = 0.01, .weight_decay = 0.1, .scale = 1.5, .period = 20}), 1.5);
}

TEST_CASE("apollo_mini") {
  agree_with_apollo<1, false>(tl::apollo_mini({.learning_rate = 0.01, .weight_decay = 0.1, .period = 20}),
                              sqrt(128.0));
}

TEST_CASE("muon: Jordan et al., 2024") {
  adam moments;
  matrix buffer(12);
  papers::agree(
      tl::partition(tl::for_parameters(tl::matrices, tl::muon({.learning_rate = 0.02, .weight_decay = 0.1})),
                    tl::adam({.learning_rate = 0.01})),
      [&](int t, tensors& p, const tensors& g) {
        matrix x(12);
        for (std::size_t i = 0; i < 12; ++i) {
          buffer[i] = 0.95 * buffer[i] + 0.05 * g[0][i];
          x[i] = 0.05 * g[0][i] + 0.95 * buffer[i];
        }
        const double size = length(x) + 1e-7;
        for (double& e : x) e /= size;
        for (int step = 0; step < 5; ++step) {
          const matrix a = product(x, transposed(x, rows, columns), rows, columns, rows);
          matrix b = product(a, a, rows, rows, rows);
          for (std::size_t i = 0; i < 9; ++i) b[i] = -4.7750 * a[i] + 2.0315 * b[i];
          const matrix bx = product(b, x, rows, rows, columns);
          for (std::size_t i = 0; i < 12; ++i) x[i] = 3.4445 * x[i] + bx[i];
        }
        for (std::size_t i = 0; i < 12; ++i) p[0][i] -= 0.02 * (x[i] + 0.1 * p[0][i]);
        for (std::size_t i = 0; i < 5; ++i) p[1][i] -= 0.01 * moments(t, g[1][i], i);
      });
}
