// SPDX-License-Identifier: BSL-1.0
// Winograd's convolutions and their gradients against plain loops in double: edges, paddings, channels that
// fill no vectors, blocks of tiles, threads, what is not finite; and the policy's option.
#include <tapeless/run/cpu/convolution/cpu_convolution.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"
#include "convolution_sums.hpp"
#include "thread_shares.hpp"

namespace tl = tapeless;
namespace k = tapeless::cpu_kernels;
using namespace tl::literals;
using test::text_of;
using tl::convolution_arguments;
using tl::convolution_part;

namespace {

constexpr convolution_part y = convolution_part::y, x = convolution_part::x,
                           weight = convolution_part::weight;

struct shape {
  std::int64_t batch, in, out, rows, columns, padding_of_rows, padding_of_columns;
};
convolution_arguments arguments_of(const shape& s) {
  return test::arguments_of({.batch = s.batch,
                             .groups = 1,
                             .in = s.in,
                             .out = s.out,
                             .image = {s.rows, s.columns},
                             .kernel = {3, 3},
                             .stride = {1, 1},
                             .dilation = {1, 1},
                             .padding = {s.padding_of_rows, s.padding_of_columns}});
}

template <class T>
test::convolution_tensors<T> tensors_of(const convolution_arguments& c) {
  test::convolution_tensors<T> all(c);
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  for (std::vector<T>* v : {&all.x, &all.weight, &all.y})
    for (T& one : *v) one = static_cast<T>(normal(random));
  return all;
}
template <convolution_part Part, class Tensors>
auto& result_of(Tensors& all) {
  return Part == x ? all.x : Part == y ? all.y : all.weight;
}

/// Whatever the shape is, however small its parts are, in workspaces that are full of NaN.
template <class T, convolution_part Part>
void convolve(convolution_arguments c, test::convolution_tensors<T>& all, int threads) {
  const test::smallest_shares shares;
  c.computes = Part;
  c.x = reinterpret_cast<std::byte*>(all.x.data());
  c.weight = reinterpret_cast<std::byte*>(all.weight.data());
  c.y = reinterpret_cast<std::byte*>(all.y.data());
  std::vector<T>& result = result_of<Part>(all);
  std::fill(result.begin(), result.end(), static_cast<T>(NAN));
  k::thread_team team(threads);
  const std::int64_t bytes =
      k::winograd_workspace<tl::computed_as<tl::element_of<T>>>(k::convolution_geometry(c), Part).bytes();
  team.reserve_workspace(bytes, threads);
  for (int part = 0; part < threads; ++part)
    std::memset(team.workspace(part), 0xff, static_cast<std::size_t>(bytes));
  k::convolve_by_winograd<T, Part>(c, team, threads);
}

/// The largest error, relative to the sum of the products' sizes.
template <class T, convolution_part Part>
double error_of(const convolution_arguments& c) {
  test::convolution_tensors<T> all = tensors_of<T>(c);
  // Converted before and by pointers: under sanitizers the products are most of what this test takes.
  const auto in_double = [](const std::vector<T>& v) { return std::vector<double>(v.begin(), v.end()); };
  const std::vector<double> xs = in_double(all.x), weights = in_double(all.weight), ys = in_double(all.y);
  std::vector<double> expected(result_of<Part>(all).size()), sizes = expected;
  test::for_each_product(
      c, [x_of = xs.data(), weight_of = weights.data(), y_of = ys.data(), sum = expected.data(),
          size = sizes.data()](std::int64_t at_x, std::int64_t at_weight, std::int64_t at_y) {
        const double product = Part == y   ? x_of[at_x] * weight_of[at_weight]
                               : Part == x ? y_of[at_y] * weight_of[at_weight]
                                           : x_of[at_x] * y_of[at_y];
        const std::int64_t at = Part == y ? at_y : Part == x ? at_x : at_weight;
        sum[at] += product;
        size[at] += std::abs(product);
      });
  convolve<T, Part>(c, all, 1);
  const std::vector<T>& result = result_of<Part>(all);
  double worst = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double error = std::abs(static_cast<double>(result[i]) - expected[i]);
    worst = std::max(worst, sizes[i] > 0 ? error / sizes[i] : error == 0 ? 0 : 1.0);
    if (std::isnan(error)) worst = 1;
  }
  return worst;
}

template <class T>
void compare(const shape& s, double epsilons) {
  const convolution_arguments c = arguments_of(s);
  INFO(text_of(c));
  const double bound = epsilons * static_cast<double>(std::numeric_limits<T>::epsilon());
  CHECK(error_of<T, y>(c) < bound);
  CHECK(error_of<T, x>(c) < bound);
  CHECK(error_of<T, weight>(c) < bound);
}

template <convolution_part Part>
void compare_threads(const convolution_arguments& c) {
  auto all = tensors_of<float>(c);
  convolve<float, Part>(c, all, 1);
  const std::vector<float> expected = result_of<Part>(all);
  for (const int threads : {2, 3, 5, 16}) {
    INFO(text_of(c) << ", part " << static_cast<int>(Part) << ", " << threads << " threads");
    convolve<float, Part>(c, all, threads);
    CHECK(std::memcmp(result_of<Part>(all).data(), expected.data(), expected.size() * sizeof(float)) == 0);
  }
}

}  // namespace

TEST_CASE("Winograd's convolutions are their sums: edges and paddings") {
  for (std::int64_t rows = 3; rows <= 17; ++rows)
    for (const std::int64_t padding : {0, 1, 2})
      compare<float>({2, 5, 6, rows, 20 - rows, padding, (padding + rows) % 3}, 30);
  compare<float>({1, 3, 2, 1, 2, 1, 1}, 30);
  compare<float>({1, 3, 2, 4, 5, 4, 3}, 30);
}

TEST_CASE("Winograd's convolutions are their sums: channels") {
  for (const std::int64_t channels : {1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 40, 70}) {
    compare<float>({1, channels, 18, 7, 6, 1, 1}, 30);
    compare<float>({1, 19, channels, 5, 8, 1, 1}, 30);
  }
}

TEST_CASE("Winograd's convolutions are their sums: blocks of images, rows and columns") {
  compare<float>({50, 16, 17, 6, 5, 1, 1}, 30);    // several images at once
  compare<float>({1, 20, 24, 33, 40, 1, 1}, 30);   // some rows of an image
  compare<float>({1, 130, 10, 4, 140, 1, 1}, 30);  // some columns of a row
}

TEST_CASE("Winograd's convolutions in double and in 16 bits are their sums") {
  compare<double>({2, 9, 11, 13, 10, 1, 0}, 30);
  compare<double>({1, 17, 20, 6, 7, 2, 1}, 30);
  const convolution_arguments c = arguments_of({2, 9, 11, 8, 10, 1, 0});
  auto halves = tensors_of<tl::bf16>(c);
  auto floats = tensors_of<float>(c);
  for (std::size_t i = 0; i < floats.x.size(); ++i) floats.x[i] = static_cast<float>(halves.x[i]);
  for (std::size_t i = 0; i < floats.weight.size(); ++i)
    floats.weight[i] = static_cast<float>(halves.weight[i]);
  convolve<float, y>(c, floats, 1);
  convolve<tl::bf16, y>(c, halves, 1);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < floats.y.size(); ++i)
    wrong += static_cast<float>(halves.y[i]) != static_cast<float>(static_cast<tl::bf16>(floats.y[i]));
  CHECK(wrong == 0);
}

TEST_CASE("Winograd's convolutions give the same bits on any number of threads") {
  for (const shape& s : std::vector<shape>{{5, 16, 16, 20, 20, 1, 1},
                                           {33, 20, 40, 6, 6, 0, 0},
                                           {1, 130, 10, 4, 140, 1, 1},
                                           {3, 40, 33, 14, 13, 2, 1},
                                           {1, 16, 16, 3, 4, 1, 1}}) {
    const convolution_arguments c = arguments_of(s);
    compare_threads<y>(c);
    compare_threads<x>(c);
    compare_threads<weight>(c);
  }
}

TEST_CASE("what is not finite reaches the results that it is a part of, and no others") {
  const convolution_arguments c = arguments_of({1, 16, 16, 10, 10, 1, 1});
  for (const float special : {std::numeric_limits<float>::infinity(), NAN})
    for (const int at : {0, 9, 44, 55, 99}) {
      auto all = tensors_of<float>(c);
      all.x[static_cast<std::size_t>(300 + at)] = special;
      convolve<float, y>(c, all, 1);
      int wrong = 0;
      for (int i = 0; i < 1600; ++i) {
        const int row = i / 10 % 10, column = i % 10;
        const bool is_part = std::abs(row - at / 10) <= 1 && std::abs(column - at % 10) <= 1;
        wrong += std::isfinite(all.y[static_cast<std::size_t>(i)]) == is_part;
      }
      CHECK(wrong == 0);
    }
}

TEST_CASE("kernels of 3 x 3 of many channels are computed by Winograd's algorithm") {
  constexpr bool has_vectors = k::packet_size<float> > 1;
  const auto suit = [](const convolution_arguments& c) {
    const bool suits = k::suits_winograd<float>(c, y);
    CHECK(k::suits_winograd<float>(c, x) == suits);
    return suits;
  };
  const auto suits = [&](const shape& s) { return suit(arguments_of(s)); };
  CHECK(suits({32, 64, 64, 32, 32, 1, 1}) == has_vectors);
  CHECK(suits({1, 512, 512, 7, 7, 1, 1}) == has_vectors);
  CHECK(suits({4, 16, 32, 3, 3, 1, 1}) == has_vectors);
  CHECK(!suits({32, 8, 64, 28, 28, 1, 1}));
  CHECK(!suits({32, 64, 8, 28, 28, 1, 1}));
  CHECK(!suits({32, 64, 64, 1, 32, 1, 1}));
  CHECK(!suits({1, 1024, 512, 7, 7, 1, 1}));
  CHECK(!suits({1, 64, 64, 4, 4, 1, 1}));
  CHECK(!suits({0, 64, 64, 32, 32, 1, 1}));
  CHECK(!suits({32, 16, 16, 28, 28, 1, 1}));
  CHECK(k::suits_winograd<float>(arguments_of({32, 16, 16, 28, 28, 1, 1}), weight) == has_vectors);
  CHECK(!k::suits_winograd<float>(arguments_of({1, 512, 512, 7, 7, 1, 1}), weight));
  convolution_arguments c = arguments_of({32, 64, 64, 32, 32, 1, 1});
  c.stride[1] = 2;
  CHECK(!suit(c));
  c.stride[1] = 1, c.dilation[0] = 2;
  CHECK(!suit(c));
  c.dilation[0] = 1, c.kernel[0] = 1;
  CHECK(!suit(c));
  c.kernel[0] = 3, c.groups = 2;
  CHECK(!suit(c));
}

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 32, 16, 16>;
  return tl::mean(tl::square(tl::conv2d<"c", 32, tl::conv{.kernel = 3, .padding = 1}>(x)));
};
template <class Policy>
std::vector<float> trained(const Policy& policy) {
  std::vector<float> x(2 * 32 * 16 * 16);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 37 % 101) / 50 - 1;
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), policy, 1};
  for (int i = 0; i < 2; ++i) net.step("x"_t = x);
  const auto weights = net.template parameter<"c.weight">();
  return std::vector<float>(weights.begin(), weights.end());
}

}  // namespace

TEST_CASE("a policy turns Winograd's algorithm off") {
  const std::vector<float> with = trained(tl::cpu{.threads = 1}),
                           without = trained(tl::cpu{.threads = 1, .winograd = false});
  CHECK((with == without) == (k::packet_size<float> == 1));
  double most = 0;
  for (std::size_t i = 0; i < with.size(); ++i)
    most = std::max(most, static_cast<double>(std::abs(with[i] - without[i])));
  CHECK(most < 1e-5);
  CHECK(trained(tl::cpu{.threads = 3, .winograd = false}) == without);
  CHECK(trained(tl::straight_line{.threads = 1}) == with);
  CHECK(trained(tl::straight_line{.threads = 1, .winograd = false}) == without);
}
