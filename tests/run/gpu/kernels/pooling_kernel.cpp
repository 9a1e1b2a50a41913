// SPDX-License-Identifier: BSL-1.0
// Poolings by elements, against the windows that define them.
#include <tapeless/run/gpu/kernels/pooling_kernel.hpp>

#include <tapeless/run/thrust_host/host_executor.hpp>
#include <tapeless/run/thrust_host/thrust_host.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>

namespace k = tapeless::thrust_kernels;
using tapeless::pooling_kind;

namespace {

/// A pool's images and what is at its windows' positions, with many equal numbers.
template <class T>
struct example {
  tl::pooling_arguments arguments;
  std::vector<T> x, v, y, s;

  explicit example(const tl::pooling_arguments& sizes) : arguments(sizes) {
    for (int a = 0; a < 2; ++a)
      arguments.positions[a] =
          (arguments.image[a] + 2 * arguments.padding[a] - arguments.kernel[a]) / arguments.stride[a] + 1;
    const std::int64_t planes = arguments.batch * arguments.channels;
    test::numbers random(3);
    x = numbers(planes * arguments.image[0] * arguments.image[1], random);
    v = numbers(planes * arguments.image[0] * arguments.image[1], random);
    s = numbers(planes * arguments.positions[0] * arguments.positions[1], random);
    y.assign(s.size(), T(-std::numeric_limits<float>::infinity()));
    for_each([&](std::size_t i, std::size_t p, double) { y[p] = std::max(y[p], x[i]); });
  }

  // Small whole numbers, so that sums of them are exact.
  static std::vector<T> numbers(std::int64_t count, test::numbers& random) {
    std::vector<T> result;
    for (const double n : random.vector<double>(static_cast<std::size_t>(count)))
      result.push_back(T(static_cast<float>(static_cast<int>(4 * n))));
    return result;
  }

  /// Calls f(the image's element, the position, elements of the window) for each element of each window.
  template <class F>
  void for_each(F f) const {
    const auto& [image, kernel, positions] = std::tie(arguments.image, arguments.kernel, arguments.positions);
    for (std::int64_t n = 0; n < arguments.batch * arguments.channels; ++n)
      for (std::int64_t p = 0; p < positions[0] * positions[1]; ++p) {
        std::vector<std::size_t> inside;
        for (std::int64_t e = 0; e < kernel[0] * kernel[1]; ++e) {
          const std::int64_t row =
              p / positions[1] * arguments.stride[0] + e / kernel[1] - arguments.padding[0];
          const std::int64_t column =
              p % positions[1] * arguments.stride[1] + e % kernel[1] - arguments.padding[1];
          if (row >= 0 && row < image[0] && column >= 0 && column < image[1])
            inside.push_back(static_cast<std::size_t>((n * image[0] + row) * image[1] + column));
        }
        const auto elements = static_cast<double>(
            arguments.counts_padding ? kernel[0] * kernel[1] : static_cast<std::int64_t>(inside.size()));
        for (const std::size_t i : inside)
          f(i, static_cast<std::size_t>(n * positions[0] * positions[1] + p), elements);
      }
  }
};

template <class T>
double number_of(T x) {
  return static_cast<double>(static_cast<tl::computed_as<tl::element_of<T>>>(x));
}

template <pooling_kind Computes, class T>
void check_one(const example<T>& e, const std::vector<const std::vector<T>*>& sources,
               const std::vector<double>& expected) {
  std::vector<T> found(expected.size(), T(77.0f));
  tl::pooling_arguments arguments = e.arguments;
  arguments.computes = Computes;
  arguments.sources = static_cast<int>(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i)
    arguments.source[i] = reinterpret_cast<std::byte*>(const_cast<T*>(sources[i]->data()));
  arguments.target = reinterpret_cast<std::byte*>(found.data());
  k::host_executor executor;
  k::pool_by_elements<T, Computes>(arguments, executor);
  const double rounding = 4 * number_of(std::numeric_limits<T>::epsilon());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    wrong += !(std::abs(number_of(found[i]) - expected[i]) <= rounding * (1 + std::abs(expected[i]))) ? 1 : 0;
  CHECK(wrong == 0);
}

template <class T>
void check(const tl::pooling_arguments& sizes) {
  const example<T> e(sizes);
  std::vector<double> largest, ties(e.y.size()), sums(e.y.size()), shares(e.x.size()), means(e.y.size()),
      spread(e.x.size());
  for (const T y : e.y) largest.push_back(number_of(y));
  e.for_each([&](std::size_t i, std::size_t p, double elements) {
    if (e.x[i] == e.y[p]) ties[p] += 1, sums[p] += number_of(e.v[i]), shares[i] += number_of(e.s[p]);
    means[p] += number_of(e.v[i]) / elements;
    spread[i] += number_of(e.s[p]) / elements;
  });
  check_one<pooling_kind::largest>(e, {&e.x}, largest);
  check_one<pooling_kind::tied>(e, {&e.x, &e.y}, ties);
  check_one<pooling_kind::tied>(e, {&e.x, &e.y, &e.v}, sums);
  check_one<pooling_kind::shared>(e, {&e.x, &e.y, &e.s}, shares);
  check_one<pooling_kind::mean>(e, {&e.v}, means);
  check_one<pooling_kind::spread>(e, {&e.s}, spread);
}

constexpr auto images = [] {
  auto x = tl::input<"x", double, 2, 3, tl::dyn<"h">, 7>;
  auto max = tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1}>(x);
  auto mean = tl::avg_pool2d<tl::pool{.kernel = 3, .stride = 1}>(x);
  return tl::outputs(tl::named<"max">(max), tl::named<"mean">(mean),
                     tl::named<"slope">(tl::grad(tl::sum(max) + tl::sum(tl::square(mean)), x)));
};

template <class Policy>
constexpr std::size_t poolings_on =
    tl::plan_of<tl::ready_for<tl::forward_graph_builder<decltype(images), tl::element::number>, Policy>>
        .families.template of<tl::planned_pooling>()
        .size();
static_assert(poolings_on<tl::thrust_host> == 5);  // the largest, their count and their shares; means, spread
static_assert(poolings_on<tl::cpu> == 5);

}  // namespace

TEST_CASE("pooling: windows that overlap, leave gaps, and reach into the padding") {
  const bool counts = GENERATE(true, false);
  check<float>({.counts_padding = counts,
                .batch = 2,
                .channels = 3,
                .image = {5, 7},
                .kernel = {3, 3},
                .stride = {2, 1},
                .padding = {1, 1}});
  check<double>({.counts_padding = counts,
                 .batch = 1,
                 .channels = 2,
                 .image = {9, 6},
                 .kernel = {2, 4},
                 .stride = {3, 5},
                 .padding = {0, 2}});
  check<float>({.counts_padding = counts,
                .batch = 3,
                .channels = 1,
                .image = {1, 40},
                .kernel = {1, 8},
                .stride = {1, 3},
                .padding = {0, 4}});
}

TEST_CASE("pooling: 16 bits, added up in float") {
  const tl::pooling_arguments sizes{
      .batch = 2, .channels = 2, .image = {6, 5}, .kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 0}};
  check<tl::bf16>(sizes);
  check<tl::f16>(sizes);
}

TEST_CASE("pooling: of no sample there is nothing to do") {
  check<float>({.batch = 0, .channels = 2, .image = {4, 4}, .kernel = {3, 3}, .stride = {1, 1}});
}

TEST_CASE("pooling: a NaN is the largest element") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{1, nan, 2, 3, 4};
  std::vector<float> y(3);
  k::host_executor executor;
  k::pool_by_elements<float, pooling_kind::largest>(
      {.batch = 1,
       .channels = 1,
       .image = {1, 5},
       .kernel = {1, 3},
       .positions = {1, 3},
       .stride = {1, 1},
       .sources = 1,
       .source = {reinterpret_cast<std::byte*>(const_cast<float*>(x.data()))},
       .target = reinterpret_cast<std::byte*>(y.data())},
      executor);
  CHECK(std::isnan(y[0]));
  CHECK(std::isnan(y[1]));
  CHECK(y[2] == 4);
}

TEST_CASE("pooling: an image of more rows than a launch has threads is an error") {
  k::host_executor executor;
  const tl::pooling_arguments arguments{.batch = 1,
                                        .channels = 1,
                                        .image = {std::int64_t{1} << 31, 1},
                                        .kernel = {1, 1},
                                        .positions = {1, 1},
                                        .stride = {1, 1}};
  CHECK_THROWS_WITH(
      (k::pool_by_elements<float, pooling_kind::mean>(arguments, executor)),
      test::contains("a pool of an image of 2147483648 by 1 elements is more than a launch takes"));
}

TEST_CASE("pooling: on thrust_host pools stay whole, and are what the CPU's windows are") {
  tl::function there{images, tl::thrust_host{}};
  tl::function here{images, tl::cpu{}};
  const auto x = test::numbers().vector(2 * 3 * 5 * 7);
  const auto found = there("x"_t = x);
  const auto expected = here("x"_t = x);
  const auto difference = [&](const auto& a, const auto& b) {
    REQUIRE(a.size() == b.size());
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
  };
  CHECK(difference(found.get<"max">(), expected.get<"max">()) == 0);
  CHECK(difference(found.get<"mean">(), expected.get<"mean">()) <= 1e-14);
  CHECK(difference(found.get<"slope">(), expected.get<"slope">()) <= 1e-14);
}

TEST_CASE("pooling: a run-time image that is smaller than the kernel is an error") {
  tl::function f{images, tl::thrust_host{}};
  CHECK_THROWS_WITH(f("x"_t = std::vector<double>(2 * 3 * 2 * 7)),
                    test::contains("a pool's kernel spans 3 elements, but the run-time extent there is 2"));
}
