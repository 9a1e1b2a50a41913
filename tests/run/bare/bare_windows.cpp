// SPDX-License-Identifier: BSL-1.0
// Convolutions and poolings of tl::bare are those of tl::cpu, and copy no windows.
#include <tapeless/bare.hpp>
#include <tapeless/ops/spatial.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <vector>

#include "catch.hpp"

namespace {

namespace tl = tapeless;
using namespace tl::literals;

template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<T>(std::sin(0.7 * static_cast<double>(i) + 1));
  return all;
}

// Losses and outputs of some steps, which see the forward pass, the weights' and the images' gradients.
template <class T, class Model>
void check(Model model, std::size_t count) {
  tl::trainer usual{model, tl::sgd({.learning_rate = 0.05}), tl::cpu{.threads = 1}, 5};
  tl::trainer net{model, tl::sgd({.learning_rate = 0.05}), tl::bare{}, 5};
  const std::vector<T> x = numbers<T>(count);
  const double most = sizeof(T) == 4 ? 2e-5 : 1e-12;
  for (int step = 0; step < 8; ++step) {
    const auto wanted = usual.step("x"_t = x);
    const auto got = net.step("x"_t = x);
    REQUIRE(got.is_valid());
    INFO("step " << step);
    const auto y = got.template get<"y">();
    const auto z = wanted.template get<"y">();
    for (std::size_t i = 0; i < static_cast<std::size_t>(y.size()); ++i)
      REQUIRE(std::fabs(static_cast<double>(y.data()[i]) - static_cast<double>(z.data()[i])) < most);
  }
}

// A convolution before the one that is looked at, so that its images have a gradient.
template <class T, auto Options, int Rows, int Columns>
constexpr auto convolution = [] {
  auto x = tl::input<"x", T, 2, 2, Rows, Columns>;
  auto h = tl::tanh(tl::conv2d<"first", 4, tl::conv{.kernel = 1}>(x));
  auto y = tl::conv2d<"second", 6, Options>(h);
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};
template <auto Pool, int Rows, int Columns>
constexpr auto pooling = [] {
  auto x = tl::input<"x", double, 2, 2, Rows, Columns>;
  auto y = Pool(tl::conv2d<"first", 3, tl::conv{.kernel = 3, .padding = 1}>(x));
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};

constexpr auto sequences = [] {
  auto x = tl::input<"x", double, 2, 3, 19>;
  auto h = tl::max_pool1d<tl::pool{.kernel = 3, .stride = 2}>(tl::conv1d<"a", 4, tl::conv{.kernel = 5}>(x));
  auto y = tl::conv_transpose1d<"b", 2, tl::conv{.kernel = 3, .stride = 2}>(h);
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};

// Depthwise and pointwise convolutions of 64 channels: eight images of them, and not nine of each.
constexpr auto separable = [] {
  auto x = tl::input<"x", float, 1, 64, 25, 5>;
  constexpr tl::conv depthwise{.kernel = 3, .padding = 1, .groups = 64};
  auto y = tl::conv2d<"b", 64, tl::conv{.kernel = 1}>(tl::relu(tl::conv2d<"a", 64, depthwise>(x)));
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};

}  // namespace

TEST_CASE("convolutions") {
  check<double>(convolution<double, tl::conv{.kernel = 3}, 7, 9>, 252);
  check<double>(convolution<double, tl::conv{.kernel = {2, 3}, .stride = {3, 2}, .padding = {1, 2}}, 8, 11>,
                352);
  check<double>(convolution<double, tl::conv{.kernel = 3, .padding = 2, .dilation = 2, .groups = 2}, 7, 20>,
                560);
  check<float>(convolution<float, tl::conv{.kernel = 5, .stride = 2, .padding = 4, .bias = false}, 6, 21>,
               504);
  check<double>(sequences, 114);
}

TEST_CASE("poolings") {
  check<double>(pooling<[](auto x) { return tl::max_pool2d<tl::pool{.kernel = 2}>(x); }, 6, 8>, 192);
  check<double>(
      pooling<[](auto x) { return tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1}>(x); }, 7,
              9>,
      252);
  check<double>(
      pooling<[](auto x) { return tl::avg_pool2d<tl::pool{.kernel = {3, 2}, .stride = 2, .padding = 1}>(x); },
              7, 9>,
      252);
  check<double>(
      pooling<[](auto x) {
        return tl::avg_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1, .count_include_pad = false}>(
            x);
      },
              7, 9>,
      252);
}

TEST_CASE("no window is copied") {
  using net = decltype(tl::trainer{separable, tl::sgd({.learning_rate = 0.05}), tl::bare{}});
  constexpr std::size_t image = 64 * 25 * 5 * sizeof(float);
  CHECK(sizeof(net) < 6 * image);
}
