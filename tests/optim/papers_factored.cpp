// SPDX-License-Identifier: BSL-1.0
// Rules that keep numbers for rows, columns and whole parameters, against their papers' pseudo-code.
#include "optim/papers.hpp"

using papers::length;
using papers::tensors;
using std::pow;
using std::sqrt;

namespace {

constexpr std::size_t rows = 3, columns = 4;

double root_mean_square(const std::vector<double>& x) {
  return length(x) / sqrt(static_cast<double>(x.size()));
}

}  // namespace

TEST_CASE("novograd: Ginsburg et al., 2019, algorithm 1") {
  tensors m = papers::zeros();
  std::array<double, 2> v{};
  papers::agree(tl::novograd({.learning_rate = 0.02, .weight_decay = 0.1}),
                [&](int t, tensors& p, const tensors& g) {
                  for (std::size_t k = 0; k < 2; ++k) {
                    const double squared = length(g[k]) * length(g[k]);
                    v[k] = t == 1 ? squared : 0.98 * v[k] + 0.02 * squared;
                    for (std::size_t i = 0; i < p[k].size(); ++i) {
                      m[k][i] = 0.95 * m[k][i] + (g[k][i] / (sqrt(v[k]) + 1e-8) + 0.1 * p[k][i]);
                      p[k][i] -= 0.02 * m[k][i];
                    }
                  }
                });
}

TEST_CASE("sm3 with momentum: Anil et al., 2019, algorithm SM3-II, covers of rows and columns") {
  std::array<double, rows> row{};
  std::array<double, columns> column{};
  tensors m = papers::zeros();
  std::vector<double> single(5);
  papers::agree(tl::sm3({.learning_rate = 0.05, .momentum = 0.8}), [&](int, tensors& p, const tensors& g) {
    std::array<double, rows> next_row{};
    std::array<double, columns> next_column{};
    const auto update = [&](std::size_t k, std::size_t i, double nu) {
      const double scaled = nu == 0 ? 0 : g[k][i] / sqrt(nu);
      m[k][i] = 0.8 * m[k][i] + 0.2 * scaled;
      p[k][i] -= 0.05 * m[k][i];
    };
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        const double e = g[0][i * columns + j], nu = std::min(row[i], column[j]) + e * e;
        next_row[i] = std::max(next_row[i], nu);
        next_column[j] = std::max(next_column[j], nu);
        update(0, i * columns + j, nu);
      }
    row = next_row;
    column = next_column;
    for (std::size_t i = 0; i < 5; ++i) update(1, i, single[i] += g[1][i] * g[1][i]);
  });
}

TEST_CASE("sm3 without momentum keeps less") {
  tl::trainer net{[] { return tl::sum(tl::square(tl::param<"w", double, 5>(tl::fill(1)))); },
                  tl::sm3({.learning_rate = 0.5})};
  net.step();
  CHECK(net.parameter<"w">()[0] == test::Approx(0.5));
  net.step();
  CHECK(net.parameter<"w">()[0] == test::Approx(0.5 - 0.5 / sqrt(5.0)));
}

TEST_CASE("adafactor: Shazeer and Stern, 2018, algorithms 4 and 5") {
  std::array<double, rows> r{};
  std::array<double, columns> c{};
  std::vector<double> v(5);
  papers::agree(tl::adafactor({.learning_rate = 0.2, .clip = 0.9}), [&](int t, tensors& p, const tensors& g) {
    const double beta = 1 - pow(t, -0.8), rate = std::min(0.2, 1 / sqrt(t));
    std::array<double, rows> sum_r{};
    std::array<double, columns> sum_c{};
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        const double squared = pow(g[0][i * columns + j], 2) + 1e-30;
        sum_r[i] += squared;
        sum_c[j] += squared;
      }
    double total = 0;
    for (std::size_t i = 0; i < rows; ++i) total += r[i] = beta * r[i] + (1 - beta) * sum_r[i];
    for (std::size_t j = 0; j < columns; ++j) c[j] = beta * c[j] + (1 - beta) * sum_c[j];
    std::vector<double> u(12);
    for (std::size_t i = 0; i < 12; ++i) u[i] = g[0][i] / sqrt(r[i / columns] * c[i % columns] / total);
    double alpha = std::max(1e-3, root_mean_square(p[0])) * rate;
    double clip = std::max(1.0, root_mean_square(u) / 0.9);
    for (std::size_t i = 0; i < 12; ++i) p[0][i] -= alpha * u[i] / clip;
    u.resize(5);
    for (std::size_t i = 0; i < 5; ++i) {
      v[i] = beta * v[i] + (1 - beta) * (g[1][i] * g[1][i] + 1e-30);
      u[i] = g[1][i] / sqrt(v[i]);
    }
    alpha = std::max(1e-3, root_mean_square(p[1])) * rate;
    clip = std::max(1.0, root_mean_square(u) / 0.9);
    for (std::size_t i = 0; i < 5; ++i) p[1][i] -= alpha * u[i] / clip;
  });
}
