// SPDX-License-Identifier: BSL-1.0
// Convolutions and poolings of tl::bare are those of tl::cpu, and copy no windows.
#include <tapeless/bare.hpp>
#include <tapeless/ops/spatial.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <type_traits>
#include <vector>

#include "bare/bare_function.hpp"
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

// A pooling, both of its derivatives, and that along the other direction of the transpose; elements that are
// equal are frequent.
template <class T, auto Pool, int Rows, int Columns>
constexpr auto derivatives = [] {
  auto x = tl::input<"x", T, 2, 2, Rows, Columns>;
  auto y = Pool(x);
  auto u = tl::input<"u", T>;
  auto back = tl::vjp(y, x, tl::sin(u + y));
  return tl::outputs(tl::named<"y">(y), tl::named<"back">(back),
                     tl::named<"forward">(tl::jvp(y, x, tl::cos(tl::square(x) + u))),
                     tl::named<"second">(tl::grad(tl::sum(tl::square(back)), x)));
};
template <class T, auto Pool, int Rows, int Columns>
void check_derivatives() {
  INFO(Rows << " x " << Columns << ", " << sizeof(T) << " bytes");
  using model = std::remove_const_t<decltype(derivatives<T, Pool, Rows, Columns>)>;
  const tl::function usual{model{}, tl::cpu{.threads = 1}};
  static test::bare_function<model> bare;
  std::vector<T> x(4 * Rows * Columns);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i * i * 7 % 11 % 4);
  const auto wanted = usual("x"_t = x, "u"_t = T(0.3));
  const auto got = bare("x"_t = x, "u"_t = T(0.3));
  const auto compare = [](const auto& a, const auto& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      INFO("element " << i);
      REQUIRE(std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <
              (sizeof(T) == 4 ? 1e-5 : 1e-13));
    }
  };
  compare(got.template get<"y">(), wanted.template get<"y">());
  compare(got.template get<"back">(), wanted.template get<"back">());
  compare(got.template get<"forward">(), wanted.template get<"forward">());
  compare(got.template get<"second">(), wanted.template get<"second">());
}

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

// Rows that are shorter than a vector, as long, longer, and several; whole windows alone, and others.
TEST_CASE("poolings of rows in vectors") {
  constexpr auto twos = [](auto x) { return tl::max_pool2d<tl::pool{.kernel = 2}>(x); };
  check_derivatives<float, twos, 4, 6>();
  check_derivatives<float, twos, 5, 9>();
  check_derivatives<double, twos, 2, 29>();
  check_derivatives<float, twos, 3, 43>();
  constexpr auto threes = [](auto x) {
    return tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1}>(x);
  };
  check_derivatives<float, threes, 4, 15>();
  check_derivatives<double, threes, 5, 12>();
  constexpr auto next_to_each_other = [](auto x) {
    return tl::max_pool2d<tl::pool{.kernel = {2, 4}, .stride = 1, .padding = {1, 2}}>(x);
  };
  check_derivatives<float, next_to_each_other, 3, 18>();
  constexpr auto apart = [](auto x) { return tl::max_pool2d<tl::pool{.kernel = {2, 1}, .stride = 3}>(x); };
  check_derivatives<double, apart, 6, 23>();
  constexpr auto means = [](auto x) {
    return tl::avg_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1, .count_include_pad = false}>(x);
  };
  check_derivatives<float, means, 5, 22>();
  constexpr auto padded_means = [](auto x) {
    return tl::avg_pool2d<tl::pool{.kernel = {3, 5}, .stride = {1, 3}, .padding = {0, 2}}>(x);
  };
  check_derivatives<double, padded_means, 5, 31>();
}

TEST_CASE("no window is copied") {
  using net = decltype(tl::trainer{separable, tl::sgd({.learning_rate = 0.05}), tl::bare{}});
  constexpr std::size_t image = 64 * 25 * 5 * sizeof(float);
  CHECK(sizeof(net) < 6 * image);
}
