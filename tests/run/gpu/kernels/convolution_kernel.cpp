// SPDX-License-Identifier: BSL-1.0
// Convolutions and their transposes by tiles, against the sum that defines them.
#include <tapeless/run/gpu/kernels/convolution_kernel.hpp>

#include <tapeless/run/thrust_host/host_executor.hpp>
#include <tapeless/run/thrust_host/thrust_host.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace k = tapeless::thrust_kernels;
using tapeless::convolution_part;

namespace {

/// The three operands of one convolution, and the sum.
template <class T>
struct example {
  tl::convolution_arguments arguments;
  std::vector<T> x, weight, y;

  explicit example(const tl::convolution_arguments& sizes) : arguments(sizes) {
    for (int s = 0; s < 2; ++s)
      arguments.positions[s] = (arguments.image[s] + 2 * arguments.padding[s] -
                                arguments.dilation[s] * (arguments.kernel[s] - 1) - 1) /
                                   arguments.stride[s] +
                               1;
    test::numbers random(7);
    x = numbers(arguments.batch * arguments.in * arguments.image[0] * arguments.image[1], random);
    weight = numbers(
        arguments.out * arguments.in / arguments.groups * arguments.kernel[0] * arguments.kernel[1], random);
    y = numbers(arguments.batch * arguments.out * arguments.positions[0] * arguments.positions[1], random);
  }

  // Small whole numbers: all sums of them are exact, in whatever order.
  static std::vector<T> numbers(std::int64_t count, test::numbers& random) {
    std::vector<T> result(static_cast<std::size_t>(count));
    const std::vector<double> from = random.vector<double>(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = static_cast<T>(static_cast<float>(static_cast<int>(4 * from[i])));
    return result;
  }

  /// Calls f(x's element, the weight's, y's) for each product that the sum has.
  template <class F>
  void for_each_product(F f) const {
    const tl::convolution_arguments& c = arguments;
    const std::int64_t in = c.in / c.groups, out = c.out / c.groups;
    for (std::int64_t n = 0; n < c.batch; ++n)
      for (std::int64_t o = 0; o < c.out; ++o)
        for (std::int64_t i = 0; i < in; ++i)
          for (std::int64_t kr = 0; kr < c.kernel[0]; ++kr)
            for (std::int64_t kc = 0; kc < c.kernel[1]; ++kc)
              for (std::int64_t r = 0; r < c.positions[0]; ++r)
                for (std::int64_t q = 0; q < c.positions[1]; ++q) {
                  const std::int64_t row = r * c.stride[0] + kr * c.dilation[0] - c.padding[0];
                  const std::int64_t column = q * c.stride[1] + kc * c.dilation[1] - c.padding[1];
                  if (row < 0 || row >= c.image[0] || column < 0 || column >= c.image[1]) continue;
                  f(((n * c.in + o / out * in + i) * c.image[0] + row) * c.image[1] + column,
                    ((o * in + i) * c.kernel[0] + kr) * c.kernel[1] + kc,
                    ((n * c.out + o) * c.positions[0] + r) * c.positions[1] + q);
                }
  }
};

double number_of(auto x) { return static_cast<double>(static_cast<float>(x)); }

template <class T>
void check_part(convolution_part part, const example<T>& given) {
  example<T> e = given;
  std::vector<T>& target = part == convolution_part::x ? e.x : part == convolution_part::y ? e.y : e.weight;
  std::vector<double> expected(target.size());
  given.for_each_product([&](std::int64_t x, std::int64_t weight, std::int64_t y) {
    const double a = number_of(given.x[static_cast<std::size_t>(x)]),
                 b = number_of(given.weight[static_cast<std::size_t>(weight)]),
                 c = number_of(given.y[static_cast<std::size_t>(y)]);
    if (part == convolution_part::x) expected[static_cast<std::size_t>(x)] += b * c;
    if (part == convolution_part::weight) expected[static_cast<std::size_t>(weight)] += a * c;
    if (part == convolution_part::y) expected[static_cast<std::size_t>(y)] += a * b;
  });
  e.arguments.x = reinterpret_cast<std::byte*>(e.x.data());
  e.arguments.weight = reinterpret_cast<std::byte*>(e.weight.data());
  e.arguments.y = reinterpret_cast<std::byte*>(e.y.data());
  k::host_executor executor;
  if (part == convolution_part::x) k::convolve_by_tiles<T, convolution_part::x>(e.arguments, executor);
  if (part == convolution_part::weight)
    k::convolve_by_tiles<T, convolution_part::weight>(e.arguments, executor);
  if (part == convolution_part::y) k::convolve_by_tiles<T, convolution_part::y>(e.arguments, executor);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < target.size(); ++i)
    wrong += number_of(target[i]) != number_of(static_cast<T>(static_cast<float>(expected[i]))) ? 1 : 0;
  CHECK(wrong == 0);
}

template <class T>
void check(const tl::convolution_arguments& sizes) {
  const example<T> e(sizes);
  for (const convolution_part part : {convolution_part::y, convolution_part::x, convolution_part::weight})
    check_part(part, e);
}

}  // namespace

TEST_CASE("convolution: results, and both gradients, of less and of more than one tile") {
  check<float>({.batch = 2,
                .in = 2,
                .out = 3,
                .image = {4, 5},
                .kernel = {3, 3},
                .stride = {1, 1},
                .dilation = {1, 1},
                .padding = {1, 1}});
  check<float>({.batch = 3,
                .in = 20,
                .out = 70,
                .image = {9, 8},
                .kernel = {2, 3},
                .stride = {1, 1},
                .dilation = {1, 1}});
  check<double>({.batch = 1,
                 .in = 9,
                 .out = 65,
                 .image = {1, 70},
                 .kernel = {1, 8},
                 .stride = {1, 1},
                 .dilation = {1, 1},
                 .padding = {0, 3}});
}

TEST_CASE("convolution: strides, dilations, paddings and groups that differ from each other") {
  check<float>({.groups = 2,
                .batch = 2,
                .in = 4,
                .out = 6,
                .image = {11, 7},
                .kernel = {2, 3},
                .stride = {3, 2},
                .dilation = {2, 1},
                .padding = {1, 2}});
  check<double>({.groups = 3,
                 .batch = 2,
                 .in = 3,
                 .out = 3,
                 .image = {6, 9},
                 .kernel = {3, 2},
                 .stride = {1, 2},
                 .dilation = {1, 3},
                 .padding = {2, 0}});
  check<float>({.batch = 2,
                .in = 3,
                .out = 2,
                .image = {8, 5},
                .kernel = {1, 1},
                .stride = {2, 3},
                .dilation = {1, 1}});
}

TEST_CASE("convolution: 16 bits, added up in float") {
  check<tl::bf16>({.batch = 2,
                   .in = 3,
                   .out = 2,
                   .image = {4, 4},
                   .kernel = {3, 3},
                   .stride = {1, 1},
                   .dilation = {1, 1},
                   .padding = {1, 1}});
  check<tl::f16>({.batch = 1,
                  .in = 2,
                  .out = 2,
                  .image = {5, 4},
                  .kernel = {2, 2},
                  .stride = {2, 1},
                  .dilation = {1, 1}});
}

TEST_CASE("convolution: of no sample, the weight's gradient is zero") {
  check<float>({.batch = 0,
                .in = 2,
                .out = 3,
                .image = {4, 4},
                .kernel = {3, 3},
                .stride = {1, 1},
                .dilation = {1, 1}});
}

TEST_CASE("convolution: a run-time image that is smaller than the kernel is an error") {
  tl::function f{[] {
                   auto x = tl::input<"x", double, 1, 1, tl::dyn<"h">, 5>;
                   return tl::conv2d(x, tl::input<"weight", double, 1, 1, 3, 3>);
                 },
                 tl::thrust_host{}};
  CHECK_THROWS_WITH(
      f("x"_t = std::vector<double>(10), "weight"_t = std::vector<double>(9)),
      test::contains("a convolution's kernel spans 3 elements, but the run-time extent there is 2"));
}
