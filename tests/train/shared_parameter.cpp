// SPDX-License-Identifier: BSL-1.0
// A parameter that is used in several places gets the sum of all gradients.
#include <tapeless/tapeless.hpp>

#include <cmath>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::Approx;

namespace {

constexpr auto batch = tl::dyn<"batch">;

// One weight for two inputs, as in a Siamese network, and once more behind them, transposed.
constexpr auto tied = [] {
  auto w = tl::param<"w", double, 2, 3>(tl::normal(0.5));
  auto left = tl::input<"left", double, batch, 3>;
  auto right = tl::input<"right", double, batch, 3>;
  auto a = tl::tanh(tl::linear(left, w));
  auto b = tl::tanh(tl::linear(right, w));
  auto back = tl::matmul(b, w);
  return tl::mean(tl::square(a - b)) + tl::mean(tl::square(back - left));
};

const std::vector<double> left{0.3, -0.7, 1.1, 0.9, 0.2, -0.4}, right{-0.5, 0.8, 0.1, 0.6, -1.2, 0.4};

/// The loss of `tied`, by loops.
double loss(const std::vector<double>& w) {
  double apart = 0, behind = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    double b[2];
    for (std::size_t o = 0; o < 2; ++o) {
      double sum_left = 0, sum_right = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        sum_left += left[3 * i + k] * w[3 * o + k];
        sum_right += right[3 * i + k] * w[3 * o + k];
      }
      b[o] = std::tanh(sum_right);
      apart += std::pow(std::tanh(sum_left) - b[o], 2) / 4;
    }
    for (std::size_t k = 0; k < 3; ++k)
      behind += std::pow(b[0] * w[k] + b[1] * w[3 + k] - left[3 * i + k], 2) / 6;
  }
  return apart + behind;
}

/// Its gradient, from differences.
std::vector<double> slopes(std::vector<double> w) {
  std::vector<double> g(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double h = 1e-5, x = w[i];
    w[i] = x + h;
    const double above = loss(w);
    w[i] = x - h;
    g[i] = (above - loss(w)) / (2 * h);
    w[i] = x;
  }
  return g;
}

}  // namespace

TEST_CASE("a parameter in three places gets the sum of the gradients") {
  tl::trainer net{tied, tl::sgd({.learning_rate = 1})};
  auto w = net.parameter<"w">();
  for (int step = 0; step < 3; ++step) {
    const std::vector<double> before(w.begin(), w.end());
    CHECK(net.step("left"_t = left, "right"_t = right).loss() == Approx(loss(before)).epsilon(1e-12));
    const std::vector<double> expected = slopes(before);
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(before[i] - w[i] == Approx(expected[i]).epsilon(1e-7).margin(1e-9));
  }
}

TEST_CASE("each branch alone gives its share") {
  constexpr auto branches = [] {
    auto w = tl::param<"w", double>(tl::fill(2));
    auto x = tl::input<"x", double>;
    auto y = tl::input<"y", double>;
    return tl::square(w * x) + w * y + w;
  };
  tl::trainer net{branches, tl::sgd({.learning_rate = 1})};
  auto w = net.parameter<"w">();
  const auto move = [&](double x, double y) {
    w[0] = 2;
    net.step("x"_t = x, "y"_t = y);
    return 2 - w[0];
  };
  CHECK(move(0, 0) == 1);
  CHECK(move(0, 5) == 6);
  CHECK(move(3, 0) == 2 * 2 * 9 + 1);
  CHECK(move(3, 5) == 2 * 2 * 9 + 5 + 1);
}

TEST_CASE("layers of the same name are one layer") {
  constexpr auto twice = [] {
    auto x = tl::input<"x", float, batch, 4>;
    auto h = tl::tanh(tl::linear<"fc", 4>(x));
    return tl::mean(tl::square(tl::linear<"fc", 4>(h)));
  };
  tl::trainer net{twice, tl::sgd({.learning_rate = 0.1f})};
  CHECK(decltype(net)::parameter_descriptions().size() == 2);
  const std::vector<float> x{1, -1, 0.5f, 2};
  const float first = net.step("x"_t = x).loss();
  CHECK(net.step("x"_t = x).loss() < first);
}
