// SPDX-License-Identifier: BSL-1.0
// Weights as lengths and directions: their values, gradients and names, and that they start as the layers
// without them do.
#include <tapeless/ops/norm/weight_norm.hpp>

#include <cmath>
#include <string>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto n = tl::dyn<"n">;

constexpr auto network = [] {
  auto image = tl::input<"image", double, n, 2, 5, 5>;
  auto h = tl::conv2d(image, tl::weight_norm<"conv.weight", double, 4, 2, 3, 3>(),
                      tl::param<"conv.bias", double, 4>);
  auto y = tl::linear(tl::flatten(tl::relu(h)), tl::weight_norm<"fc.weight", double, 3, 36>(tl::normal(0.2)),
                      tl::param<"fc.bias", double, 3>);
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};

constexpr auto plain = [] {
  auto h = tl::conv2d<"conv", 4, tl::conv{.kernel = 3}>(tl::input<"image", double, n, 2, 5, 5>);
  auto y = tl::linear<"fc", 3>(tl::flatten(tl::relu(h)));
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};

// The weight itself, with a loss that is linear in it.
constexpr auto weighed = [] {
  auto w = tl::weight_norm<"w", double, 2, 3>();
  return tl::outputs(tl::sum(w * tl::input<"c", double, 2, 3>), tl::named<"w">(w));
};

void check(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i);
    CHECK(found[i] == test::Approx(expected[i]).margin(1e-12));
  }
}

/// What is wrong with operands of these shapes.
std::string error_of(const tl::shape_list& v, const tl::shape_list& g, tl::element type_of_g) {
  tl::graph graph;
  const tl::value first = tl::make_parameter(graph, &tl::interned<"v">, tl::element::f32, v, tl::fill(1));
  tl::weight_norm(first, tl::make_parameter(graph, &tl::interned<"g">, type_of_g, g, tl::fill(1)));
  return std::string(graph.error.view());
}

}  // namespace

TEST_CASE("parameters have PyTorch's names and shapes") {
  tl::trainer net{network, tl::sgd({.learning_rate = 0.1f})};
  const auto shape_of = [](const auto& view) {
    return std::vector<std::int64_t>(view.shape().begin(), view.shape().end());
  };
  CHECK(shape_of(net.parameter<"conv.weight_v">()) == std::vector<std::int64_t>{4, 2, 3, 3});
  CHECK(shape_of(net.parameter<"conv.weight_g">()) == std::vector<std::int64_t>{4, 1, 1, 1});
  CHECK(shape_of(net.parameter<"fc.weight_v">()) == std::vector<std::int64_t>{3, 36});
  CHECK(shape_of(net.parameter<"fc.weight_g">()) == std::vector<std::int64_t>{3, 1});
}

TEST_CASE("training starts from the layers without it") {
  tl::trainer net{network, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 5};
  tl::trainer without{plain, tl::sgd({.learning_rate = 0.1f})};
  without.assign<"conv.weight">(net.parameter<"conv.weight_v">());
  without.assign<"fc.weight">(net.parameter<"fc.weight_v">());
  const std::vector<double> image = test::numbers(1).vector(2 * 50);
  check(test::elements(net.predict("image"_t = image).get<"y">()),
        test::elements(without.predict("image"_t = image).get<"y">()));
  const double bound = std::sqrt(6.0 / ((2 + 4) * 9));
  double largest = 0;
  for (const double x : test::elements(net.parameter<"conv.weight_v">()))
    largest = std::max(largest, std::abs(x));
  CHECK(largest <= bound);
  CHECK(largest > 0.9 * bound);
}

TEST_CASE("the weight and its gradients") {
  tl::trainer net{weighed, tl::sgd({.learning_rate = 0.1f})};
  const std::vector<double> v{1, 2, 2, 3, 0, -4}, g{6, 0.5}, c{1, -1, 2, 0.5, 3, 1};
  net.assign<"w_v">(v);
  net.assign<"w_g">(g);
  check(test::elements(net.gradients("c"_t = c).get<"w">()), {2, 4, 4, 0.3, 0, -0.4});
  for (std::size_t row = 0; row < 2; ++row) {
    double length = 0, along = 0;
    for (std::size_t i = 3 * row; i < 3 * row + 3; ++i) length += v[i] * v[i];
    length = std::sqrt(length);
    for (std::size_t i = 3 * row; i < 3 * row + 3; ++i) along += c[i] * v[i] / length;
    CHECK(net.gradient<"w_g">()[row] == test::Approx(along));
    for (std::size_t i = 3 * row; i < 3 * row + 3; ++i)
      CHECK(net.gradient<"w_v">()[i] == test::Approx(g[row] / length * (c[i] - along * v[i] / length)));
  }
}

TEST_CASE("operands that do not fit are refused") {
  constexpr tl::element f32 = tl::element::f32;
  CHECK(error_of({3, {4, 2, 5}}, {3, {4, 1, 1}}, f32).empty());
  CHECK(error_of({2, {4, 2}}, {1, {4}}, f32).find("[out, ...] and [out, 1, ...]") != std::string::npos);
  CHECK(!error_of({2, {4, 2}}, {2, {4, 2}}, f32).empty());
  CHECK(!error_of({2, {4, 2}}, {2, {1, 2}}, f32).empty());
  CHECK(!error_of({1, {4}}, {1, {4}}, f32).empty());
  CHECK(!error_of({2, {4, 2}}, {2, {4, 1}}, tl::element::f64).empty());
}
