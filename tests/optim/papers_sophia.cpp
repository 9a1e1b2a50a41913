// SPDX-License-Identifier: BSL-1.0
// sophia against its paper's pseudo-code, and its estimate of the Hessian's diagonal.
#include "optim/papers.hpp"

using papers::tensors;

namespace {

/// Its Hessian is diagonal, so that the estimate is the diagonal itself.
constexpr auto quartic = [] {
  auto a = tl::param<"a", double, 3, 4>;
  auto b = tl::param<"b", double, 5>;
  return tl::sum(tl::input<"ca", double, 3, 4> * tl::square(tl::square(a)) +
                 tl::input<"ga", double, 3, 4> * a) +
         tl::sum(tl::input<"cb", double, 5> * tl::square(b) + tl::input<"gb", double, 5> * b);
};

/// | M x |^2 / 2, where M [4, 5] = [ma, mb] and x is a before b: its Hessian is M^T M.
constexpr auto square = [] {
  auto y = tl::matmul(tl::input<"ma", double, 4, 3>, tl::param<"a", double, 3>) +
           tl::matmul(tl::input<"mb", double, 4, 2>, tl::param<"b", double, 2>);
  return 0.5_c * tl::sum(tl::square(y));
};

const std::vector<double> ma{2, -1, 0.5, 0.25, 1, -2, 1, 0, 3, -0.75, 1.5, 1},
    mb{1, -1, 0.5, 2, -2, 0.125, 1, 1};

/// M^T M for the first so many of x.
std::vector<std::vector<double>> hessian(std::size_t n) {
  const auto m = [](std::size_t i, std::size_t j) { return j < 3 ? ma[3 * i + j] : mb[2 * i + j - 3]; };
  std::vector h(n, std::vector<double>(n));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < 4; ++i) h[j][k] += m(i, j) * m(i, k);
  return h;
}

/// The signs u, as bits, for which u * (H u) is the estimate; 0 where there are none, the first being +.
unsigned signs_of(const std::vector<double>& estimate) {
  const std::size_t n = estimate.size();
  const auto h = hessian(n);
  const auto sign = [](unsigned bits, std::size_t i) { return (bits >> i & 1u) != 0 ? 1.0 : -1.0; };
  unsigned found = 0;
  for (unsigned bits = 1; bits < 1u << n; bits += 2) {
    bool same = true;
    for (std::size_t i = 0; i < n; ++i) {
      double product = 0;
      for (std::size_t j = 0; j < n; ++j) product += h[i][j] * sign(bits, j);
      same = same && std::abs(sign(bits, i) * product - estimate[i]) < 1e-12;
    }
    if (same) {
      CHECK(found == 0);
      found = bits;
    }
  }
  return found;
}

}  // namespace

TEST_CASE("sophia: Liu et al., 2023, algorithm 3, with weight decay") {
  const double rate = 0.02, beta1 = 0.9, beta2 = 0.8, gamma = 0.7, epsilon = 0.01, decay = 0.1;
  tl::trainer net{quartic, tl::sophia({.learning_rate = rate,
                                       .beta1 = beta1,
                                       .beta2 = beta2,
                                       .gamma = gamma,
                                       .epsilon = epsilon,
                                       .update_period = 3,
                                       .weight_decay = decay})};
  auto a = net.parameter<"a">();
  auto b = net.parameter<"b">();
  test::numbers next(7);
  tensors p{next.vector(12), next.vector(5)}, m = papers::zeros(), h = m;
  std::copy(p[0].begin(), p[0].end(), a.begin());
  std::copy(p[1].begin(), p[1].end(), b.begin());
  double worst = 0;
  int clipped = 0, bounded = 0;
  for (int t = 1; t <= 50; ++t) {
    const tensors c{next.vector(12), next.vector(5)}, g{next.vector(12), next.vector(5)};
    net.step("ca"_t = c[0], "ga"_t = g[0], "cb"_t = c[1], "gb"_t = g[1]);
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < p[k].size(); ++i) {
        const double x = p[k][i];
        const double gradient = g[k][i] + c[k][i] * (k == 0 ? 4 * x * x * x : 2 * x);
        const double curvature = c[k][i] * (k == 0 ? 12 * x * x : 2);
        m[k][i] = beta1 * m[k][i] + (1 - beta1) * gradient;
        if (t % 3 == 1) h[k][i] = beta2 * h[k][i] + (1 - beta2) * curvature;
        const double ratio = m[k][i] / std::max(gamma * h[k][i], epsilon);
        clipped += std::abs(ratio) > 1 ? 1 : 0;
        bounded += std::abs(ratio) <= 1 && gamma * h[k][i] > epsilon ? 1 : 0;
        p[k][i] -= rate * decay * x;
        p[k][i] -= rate * std::min(std::max(ratio, -1.0), 1.0);
      }
    for (std::size_t i = 0; i < 12; ++i) worst = std::max(worst, std::abs(a[i] - p[0][i]));
    for (std::size_t i = 0; i < 5; ++i) worst = std::max(worst, std::abs(b[i] - p[1][i]));
  }
  CHECK(worst < 1e-10);
  CHECK(clipped > 100);
  CHECK(bounded > 100);
}

TEST_CASE("the estimate is u * (H u) for random signs u, over all parameters") {
  tl::trainer net{square, tl::sophia({.beta2 = 0, .update_period = 1})};
  const auto a = net.state<"sophia.h", "a">();
  const auto b = net.state<"sophia.h", "b">();
  std::vector<double> mean(5);
  std::vector<int> drawn(32);
  const int steps = 800;
  for (int t = 0; t < steps; ++t) {
    net.step("ma"_t = ma, "mb"_t = mb);
    const std::vector<double> estimate{a[0], a[1], a[2], b[0], b[1]};
    for (std::size_t i = 0; i < 5; ++i) mean[i] += estimate[i] / steps;
    ++drawn[signs_of(estimate)];
  }
  CHECK(drawn[0] == 0);
  const double expected = steps / 16.0;
  for (std::size_t bits = 1; bits < 32; bits += 2)
    CHECK(std::abs(drawn[bits] - expected) < 4.5 * std::sqrt(expected));
  const auto h = hessian(5);
  for (std::size_t i = 0; i < 5; ++i) {
    double variance = 0;
    for (std::size_t j = 0; j < 5; ++j) variance += i == j ? 0 : h[i][j] * h[i][j];
    CHECK(std::abs(mean[i] - h[i][i]) < 4 * std::sqrt(variance / steps));
  }
}

TEST_CASE("for some parameters only, H is that of these") {
  tl::trainer net{square, tl::partition(tl::for_parameters(tl::names_like<"a">, tl::sophia({.beta2 = 0})),
                                        tl::sgd({.learning_rate = 0}))};
  const auto h = net.state<"sophia.h", "a">();
  net.step("ma"_t = ma, "mb"_t = mb);
  CHECK(signs_of({h.begin(), h.end()}) != 0);
}

TEST_CASE("an average of sophia's weights") {
  tl::trainer net{square, tl::average(tl::sophia({.learning_rate = 0.1}))};
  net.parameter<"a">()[0] = 1;
  for (int t = 0; t < 3; ++t) net.step("ma"_t = ma, "mb"_t = mb);
  const double now = net.parameter<"a">()[0];
  const auto averages = net.averaged_weights();
  CHECK(net.parameter<"a">()[0] > now);
  CHECK(net.parameter<"a">()[0] < 1);
}
