// SPDX-License-Identifier: BSL-1.0
// initialized: a model whose layers start otherwise; and by their fans, as PyTorch's torch.nn.init has it.
#include <tapeless/train/trainer/initialized.hpp>

#include <tapeless/bare.hpp>
#include <tapeless/expr/fan_initializer.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2, 8, 8>;
  auto h = tl::relu(tl::conv2d<"conv", 40, tl::conv{.kernel = 3}>(x));
  return tl::mean(tl::square(tl::linear<"fc", 50>(tl::layer_norm<"norm">(tl::flatten(h)))));
};
const auto rule = tl::sgd({.learning_rate = 0.1f});

template <class View>
double deviation(const View& view) {
  double sum = 0;
  for (const double x : view) sum += x * x;
  return std::sqrt(sum / static_cast<double>(view.size()));
}
template <class View>
double largest(const View& view) {
  double most = 0;
  for (const double x : view) most = std::max(most, std::abs(x));
  return most;
}
template <class View>
bool are_all(const View& view, float number) {
  return std::all_of(view.begin(), view.end(), [number](float x) { return x == number; });
}

}  // namespace

TEST_CASE("weights start as the fans of their shapes say, and the rest as its layers do") {
  SECTION("normal, by the numbers that come in") {
    tl::trainer net{tl::initialized<tl::kaiming_normal()>(model), rule};
    CHECK(deviation(net.parameter<"conv.weight">()) == test::Approx(std::sqrt(2.0 / 18)).epsilon(0.1));
    CHECK(deviation(net.parameter<"fc.weight">()) == test::Approx(std::sqrt(2.0 / 1440)).epsilon(0.02));
    CHECK(are_all(net.parameter<"conv.bias">(), 0));
    CHECK(are_all(net.parameter<"norm.weight">(), 1));
  }
  SECTION("uniform, by the numbers that come in") {
    tl::trainer net{tl::initialized<tl::kaiming_uniform()>(model), rule};
    const double bound = std::sqrt(6.0 / 1440);
    CHECK(largest(net.parameter<"fc.weight">()) <= bound);
    CHECK(largest(net.parameter<"fc.weight">()) > 0.999 * bound);
  }
  SECTION("by the numbers that come in and go out") {
    tl::trainer net{tl::initialized<tl::xavier_normal(0.5)>(model), rule};
    CHECK(deviation(net.parameter<"conv.weight">()) ==
          test::Approx(0.5 * std::sqrt(2.0 / (18 + 360))).epsilon(0.1));
    tl::trainer even{tl::initialized<tl::xavier_uniform()>(model), rule};
    const double bound = std::sqrt(6.0 / (18 + 360));
    CHECK(largest(even.parameter<"conv.weight">()) <= bound);
    CHECK(largest(even.parameter<"conv.weight">()) > 0.98 * bound);
  }
}

TEST_CASE("of several choices around one another the outermost counts") {
  constexpr auto biases = tl::initialized<tl::fill(0.25)>(model, tl::names_like<"*.bias">);
  tl::trainer net{tl::initialized<tl::fill(3)>(biases, tl::names_like<"fc.*">), rule};
  CHECK(are_all(net.parameter<"fc.weight">(), 3));
  CHECK(are_all(net.parameter<"fc.bias">(), 3));
  CHECK(are_all(net.parameter<"conv.bias">(), 0.25));
  CHECK(are_all(net.parameter<"norm.bias">(), 0.25));
}

TEST_CASE("a lambda chooses, too; the step is the model's") {
  constexpr auto wide = [](std::string_view, std::span<const std::int64_t> shape) { return shape[0] == 50; };
  tl::trainer net{tl::initialized<tl::fill(0)>(model, wide), rule};
  CHECK(are_all(net.parameter<"fc.weight">(), 0));
  CHECK(largest(net.parameter<"conv.weight">()) > 0);
  CHECK(net.step("x"_t = std::vector<float>(128, 1)).loss() == 0);
}

TEST_CASE("each layer of a loop starts by fans of its own, and rows may be orthogonal") {
  constexpr auto layers = [] {
    auto x = tl::input<"x", float, batch, 64>;
    auto body = [](auto h) { return tl::tanh(tl::linear<"fc", 64>(h)); };
    return tl::mean(tl::square(tl::scan<3>(x, body)));
  };
  tl::trainer net{tl::initialized<tl::kaiming_normal(1)>(layers, tl::names_like<"*.weight">), rule};
  CHECK(deviation(net.parameter<"fc.weight">()) == test::Approx(1.0 / 8).epsilon(0.05));
  tl::trainer turned{tl::initialized<tl::orthogonal(2)>(layers, tl::names_like<"*.weight">), rule};
  const auto weight = turned.parameter<"fc.weight">();
  double length = 0, product = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    length += static_cast<double>(weight[i]) * weight[i];
    product += static_cast<double>(weight[i]) * weight[64 + i];
  }
  CHECK(length == test::Approx(4));
  CHECK(product == test::Approx(0).margin(1e-4));
}

TEST_CASE("a bare object starts so, too") {
  constexpr auto small = [] {
    return tl::sum(tl::square(tl::linear<"fc", 30>(tl::input<"x", float, 1, 20>)));
  };
  tl::trainer net{tl::initialized<tl::normal(0.5)>(small), rule, tl::bare{}};
  const std::span<const float> weight{net.parameter<"fc.weight">(), 600};
  CHECK(deviation(weight) == test::Approx(0.5).epsilon(0.1));
}
