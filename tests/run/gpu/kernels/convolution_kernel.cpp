// SPDX-License-Identifier: BSL-1.0
// Convolutions and their transposes by tiles, against the sum that defines them.
#include <tapeless/run/gpu/kernels/convolution_kernel.hpp>

#include <tapeless/run/thrust_host/host_executor.hpp>
#include <tapeless/run/thrust_host/thrust_host.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>

#include "catch.hpp"
#include "program.hpp"

namespace k = tapeless::thrust_kernels;
using tapeless::convolution_part;

namespace {

/// How its windows lie, by rows and columns.
struct windows {
  std::int64_t groups = 1;
  std::array<std::int64_t, 2> stride = {1, 1}, dilation = {1, 1}, padding = {0, 0};
};
struct channels {
  std::int64_t batch, in, out;
};
tl::convolution_arguments sizes(channels n, std::array<std::int64_t, 2> image,
                                std::array<std::int64_t, 2> kernel, windows w = {}) {
  tl::convolution_arguments c{.groups = w.groups, .batch = n.batch, .in = n.in, .out = n.out};
  for (std::size_t s = 0; s < 2; ++s) {
    c.image[s] = image[s], c.kernel[s] = kernel[s];
    c.stride[s] = w.stride[s], c.dilation[s] = w.dilation[s], c.padding[s] = w.padding[s];
    c.positions[s] = (image[s] + 2 * w.padding[s] - w.dilation[s] * (kernel[s] - 1) - 1) / w.stride[s] + 1;
  }
  return c;
}

/// The three operands of one convolution, and the sum.
template <class T>
struct example {
  tl::convolution_arguments arguments;
  std::vector<T> x, weight, y;

  explicit example(const tl::convolution_arguments& c) : arguments(c) {
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

/// The teams in reverse order.
struct backwards_executor : k::host_executor {
  template <class Tiles>
  void by_products(std::int64_t count, const Tiles& tiles) {
    while (--count >= 0) k::tile_item<Tiles>{tiles}(static_cast<std::uint32_t>(count));
  }
  template <class Kernel>
  void by_tiles(std::int64_t count, int across, std::int64_t parts, const Kernel& kernel) {
    const k::team_item<Kernel> team{kernel, k::largest_team / across};
    for (count *= parts; --count >= 0;) team(static_cast<std::uint32_t>(count));
  }
};

/// Computes the part that the arguments ask for, in memory of just the size that it says.
template <class Executor, class T>
void run(example<T>& e, std::byte untouched) {
  tl::convolution_arguments& c = e.arguments;
  c.x = reinterpret_cast<std::byte*>(e.x.data());
  c.weight = reinterpret_cast<std::byte*>(e.weight.data());
  c.y = reinterpret_cast<std::byte*>(e.y.data());
  Executor executor;
  const std::int64_t bytes =
      k::workspace_bytes_of({.computes = c.computes, .type = tapeless::element_of<T>}, c);
  std::vector<std::byte> memory(static_cast<std::size_t>(bytes) + 64, untouched);
  executor.lend(memory.data());
  if (c.computes == convolution_part::x) k::convolve_by_tiles<T, convolution_part::x>(c, executor);
  if (c.computes == convolution_part::weight) k::convolve_by_tiles<T, convolution_part::weight>(c, executor);
  if (c.computes == convolution_part::y) k::convolve_by_tiles<T, convolution_part::y>(c, executor);
  CHECK(std::count(memory.end() - 64, memory.end(), untouched) == 64);
}

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
  e.arguments.computes = part;
  run<k::host_executor>(e, std::byte{0xa5});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < target.size(); ++i)
    wrong += number_of(target[i]) != number_of(static_cast<T>(static_cast<float>(expected[i]))) ? 1 : 0;
  CHECK(wrong == 0);
}

template <class T>
void check(const tl::convolution_arguments& c) {
  const example<T> e(c);
  for (const convolution_part part : {convolution_part::y, convolution_part::x, convolution_part::weight})
    check_part(part, e);
}

/// Its tiles' extent, and the parts of its depth.
template <convolution_part Part>
std::pair<int, int> parts_of(const tl::convolution_arguments& c) {
  const k::implicit_product<Part> product(c);
  const int extent = k::tile_extent(product);
  return {extent, static_cast<int>(k::product_cut(product, extent).parts)};
}

}  // namespace

TEST_CASE("convolution: results, and both gradients, of less and of more than one tile") {
  check<float>(sizes({2, 2, 3}, {4, 5}, {3, 3}, {.padding = {1, 1}}));
  check<float>(sizes({3, 20, 70}, {9, 8}, {2, 3}));
  check<double>(sizes({1, 9, 65}, {1, 70}, {1, 8}, {.padding = {0, 3}}));
}

TEST_CASE("convolution: strides, dilations, paddings and groups that differ from each other") {
  check<float>(sizes({2, 4, 6}, {11, 7}, {2, 3},
                     {.groups = 2, .stride = {3, 2}, .dilation = {2, 1}, .padding = {1, 2}}));
  check<double>(sizes({2, 3, 3}, {6, 9}, {3, 2},
                      {.groups = 3, .stride = {1, 2}, .dilation = {1, 3}, .padding = {2, 0}}));
  check<float>(sizes({2, 3, 2}, {8, 5}, {1, 1}, {.stride = {2, 3}}));
}

TEST_CASE("convolution: 16 bits, added up in float") {
  check<tl::bf16>(sizes({2, 3, 2}, {4, 4}, {3, 3}, {.padding = {1, 1}}));
  check<tl::f16>(sizes({1, 2, 2}, {5, 4}, {2, 2}, {.stride = {2, 1}}));
}

// Depths that no number of steps or parts divides, by small tiles and by large ones.
TEST_CASE("convolution: teams share the depth of a product that has few tiles") {
  const tl::convolution_arguments few_channels = sizes({37, 3, 5}, {13, 11}, {3, 3}, {.padding = {1, 1}});
  CHECK(parts_of<convolution_part::weight>(few_channels) == std::pair(k::small_tile, 37));
  check<float>(few_channels);
  check<double>(few_channels);
  const tl::convolution_arguments two_tiles = sizes({29, 10, 40}, {9, 7}, {3, 3}, {.padding = {0, 1}});
  CHECK(parts_of<convolution_part::weight>(two_tiles) == std::pair(k::large_tile, 10));
  check<float>(two_tiles);
  check<tl::f16>(sizes({17, 2, 3}, {7, 9}, {2, 2}));
}

TEST_CASE("convolution: so do they with groups, strides, dilations and paddings") {
  const tl::convolution_arguments c = sizes(
      {31, 6, 10}, {17, 19}, {2, 3}, {.groups = 2, .stride = {2, 1}, .dilation = {3, 2}, .padding = {1, 3}});
  CHECK(parts_of<convolution_part::weight>(c) == std::pair(k::small_tile, 37));
  check<float>(c);
  check<double>(c);
}

TEST_CASE("convolution: and with deep results and images that are few") {
  const tl::convolution_arguments c =
      sizes({2, 50, 45}, {5, 4}, {3, 2}, {.stride = {1, 2}, .padding = {1, 0}});
  CHECK(parts_of<convolution_part::y>(c) == std::pair(k::large_tile, 2));
  CHECK(parts_of<convolution_part::x>(c) == std::pair(k::large_tile, 2));
  check<float>(c);
}

TEST_CASE("convolution: as many parts as keep a GPU busy, and no more memory than these need") {
  const windows w{.padding = {1, 1}};
  CHECK(parts_of<convolution_part::weight>(sizes({256, 3, 32}, {32, 32}, {3, 3}, w)) ==
        std::pair(k::small_tile, 1024));
  CHECK(parts_of<convolution_part::weight>(sizes({256, 32, 64}, {16, 16}, {3, 3}, w)) ==
        std::pair(k::large_tile, 103));
  CHECK(parts_of<convolution_part::weight>(sizes({256, 64, 128}, {8, 8}, {3, 3}, w)) ==
        std::pair(k::large_tile, 29));
  tl::convolution_arguments widest = sizes({4096, 64, 64 * 264}, {32, 32}, {1, 1});
  CHECK(parts_of<convolution_part::weight>(widest).second == 2);
  widest.computes = convolution_part::weight;
  CHECK(k::workspace_bytes_of({.computes = convolution_part::weight, .type = tl::element::f64}, widest) ==
        132 * 4 * 64 * 64 * 8);
}

// Of numbers that are not whole, unlike the other cases', so that sums depend on their order.
TEST_CASE("convolution: the parts' sums have the same bits, whichever team is first") {
  example<float> forwards(sizes({40, 3, 7}, {15, 10}, {3, 3}, {.padding = {1, 1}}));
  CHECK(parts_of<convolution_part::weight>(forwards.arguments).second == 42);
  test::numbers random(3);
  forwards.x = random.vector<float>(forwards.x.size());
  forwards.y = random.vector<float>(forwards.y.size());
  forwards.arguments.computes = convolution_part::weight;
  example<float> backwards = forwards;
  run<k::host_executor>(forwards, std::byte{0xa5});
  run<backwards_executor>(backwards, std::byte{0x3c});
  CHECK(forwards.weight == backwards.weight);
}

namespace {

/// The gradient of a convolution's weight.
struct weight_slope {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, tl::dyn<"batch">, 4, 12, 11>;
    auto weight = tl::input<"weight", double, 6, 2, 3, 3>;
    auto y = tl::conv2d<tl::conv{.stride = 2, .padding = 1, .groups = 2}>(x, weight);
    return tl::named<"slope">(tl::grad(tl::sum(tl::sin(y)), weight));
  }
};

}  // namespace

TEST_CASE("convolution: in a program, whose batches grow, sums of parts are the CPU's up to rounding") {
  tl::function<weight_slope, tl::cpu> here{weight_slope{}};
  tl::function<weight_slope, tl::thrust_host> there{weight_slope{}};
  test::numbers random(5);
  const std::vector<double> weight = random.vector(6 * 2 * 3 * 3);
  for (const std::size_t batch : {1u, 33u, 70u}) {
    const std::vector<double> x = random.vector(batch * 4 * 12 * 11);
    const std::vector<double> expected = test::elements(here("x"_t = x, "weight"_t = weight).get<"slope">());
    const std::vector<double> slope = test::elements(there("x"_t = x, "weight"_t = weight).get<"slope">());
    REQUIRE(slope.size() == expected.size());
    for (std::size_t i = 0; i < slope.size(); ++i)
      CHECK(slope[i] == test::Approx(expected[i]).epsilon(1e-12).margin(1e-12));
  }
}

TEST_CASE("convolution: of no sample, the weight's gradient is zero") {
  check<float>(sizes({0, 2, 3}, {4, 4}, {3, 3}));
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
