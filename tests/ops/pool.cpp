// SPDX-License-Identifier: BSL-1.0
// Pools against the windows that define them, and the conventions for padding and ties.
#include "catch.hpp"
#include "program.hpp"

#include <limits>

namespace {

using tl::pool;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto n = tl::dyn<"n">, h = tl::dyn<"h">, w = tl::dyn<"w">;

void check(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i);
    REQUIRE(found[i] == test::Approx(expected[i]).epsilon(1e-13).margin(1e-13));
  }
}

/// Rows and columns from `begin` up to, not including, `end`.
struct range {
  std::int64_t begin, end;
  std::int64_t size() const { return end - begin; }
};

range inside(range r, std::int64_t extent) {
  return {std::max<std::int64_t>(r.begin, 0), std::min(r.end, extent)};
}

/// The largest elements, the means, and the gradients of their sums of squares, over windows of planes.
struct pooled {
  std::vector<double> max = {}, mean = {}, max_gradient = {}, mean_gradient = {};

  pooled(const std::vector<double>& x, std::int64_t rows, std::int64_t columns,
         const std::vector<range>& vertical, const std::vector<range>& horizontal, bool counts_padding)
      : max_gradient(x.size()), mean_gradient(x.size()) {
    const std::size_t plane = static_cast<std::size_t>(rows * columns);
    for (std::size_t first = 0; first < x.size(); first += plane)
      for (const range& v : vertical)
        for (const range& u : horizontal) {
          const range i = inside(v, rows), j = inside(u, columns);
          const auto for_each = [&](auto f) {
            for (std::int64_t p = i.begin; p < i.end; ++p)
              for (std::int64_t q = j.begin; q < j.end; ++q)
                f(first + static_cast<std::size_t>(p * columns + q));
          };
          double largest = -infinity, sum = 0, ties = 0;
          for_each([&](std::size_t k) { largest = std::max(largest, x[k]), sum += x[k]; });
          for_each([&](std::size_t k) { ties += x[k] == largest ? 1 : 0; });
          const double count =
              static_cast<double>(counts_padding ? v.size() * u.size() : i.size() * j.size());
          for_each([&](std::size_t k) {
            if (x[k] == largest) max_gradient[k] += 2 * largest / ties;
            mean_gradient[k] += 2 * sum / (count * count);
          });
          max.push_back(largest);
          mean.push_back(sum / count);
        }
  }
};

std::vector<range> windows(std::int64_t extent, int kernel, int stride, int padding) {
  std::vector<range> all;
  for (std::int64_t i = 0; i * stride + kernel <= extent + 2 * padding; ++i)
    all.push_back({i * stride - padding, i * stride - padding + kernel});
  return all;
}

template <pool Options, class T, tl::extent Height, tl::extent Width>
struct pools {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, 2, Height, Width>;
    auto max = tl::max_pool2d<Options>(x);
    auto mean = tl::avg_pool2d<Options>(x);
    return tl::outputs(tl::named<"max">(max), tl::named<"mean">(mean),
                       tl::named<"max_gradient">(tl::grad(tl::sum(tl::square(max)), x)),
                       tl::named<"mean_gradient">(tl::grad(tl::sum(tl::square(mean)), x)));
  }
};

void check_all(auto r, const pooled& expected) {
  check(test::elements(r.template get<"max">()), expected.max);
  check(test::elements(r.template get<"mean">()), expected.mean);
  check(test::elements(r.template get<"max_gradient">()), expected.max_gradient);
  check(test::elements(r.template get<"mean_gradient">()), expected.mean_gradient);
}

// Numbers of which many are equal, all below zero.
std::vector<double> numbers_with_ties(std::int64_t count) {
  std::vector<double> x = test::numbers().vector(static_cast<std::size_t>(count), -4, -1);
  for (double& e : x) e = static_cast<double>(static_cast<int>(e));
  return x;
}

template <pool Options>
void check_pools(std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  const auto along = [&](std::int64_t extent, int axis) {
    const int kernel = Options.kernel.along(axis, 2), stride = Options.stride.along(axis, 2);
    return windows(extent, kernel, stride == 0 ? kernel : stride, Options.padding.along(axis, 2));
  };
  const auto x = numbers_with_ties(batch * 2 * rows * columns);
  const pooled expected(x, rows, columns, along(rows, 0), along(columns, 1), Options.count_include_pad);
  tl::function f{pools<Options, double, h, w>{}};
  check_all(f("x"_t = x, "n"_t = batch, "h"_t = rows, "w"_t = columns), expected);
}

}  // namespace

TEST_CASE("pools are the largest elements and the means of windows") {
  check_pools<pool{.kernel = 2}>(2, 4, 6);
  check_pools<pool{.kernel = 2}>(1, 5, 3);
  check_pools<pool{.kernel = 2}>(0, 4, 4);
  check_pools<pool{.kernel = 2}>(3, 2, 37);
}

TEST_CASE("pools: a NaN is the largest element of the windows that hold it") {
  constexpr auto pools_of_float = [] {
    auto x = tl::input<"x", float, 1, 1, 4, 4>;
    return tl::outputs(tl::named<"tiles">(tl::max_pool2d<pool{.kernel = 2}>(x)),
                       tl::named<"padded">(tl::max_pool2d<pool{.kernel = 3, .stride = 2, .padding = 1}>(x)));
  };
  tl::function f{pools_of_float};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t place : {0u, 5u, 15u}) {
    std::vector<float> x{1, 8, 2, 7, 3, 6, 4, 5, 5, 4, 6, 3, 7, 2, 8, 1};
    x[place] = nan;
    const auto r = f("x"_t = x);
    const auto row = place / 4, column = place % 4;
    for (std::size_t i = 0; i < 4; ++i) {
      const float tile = r.get<"tiles">()[i], padded = r.get<"padded">()[i];
      CHECK((tile != tile) == (row / 2 == i / 2 && column / 2 == i % 2));
      const bool holds = row + 1 >= 2 * (i / 2) && row <= 2 * (i / 2) + 1 && column + 1 >= 2 * (i % 2) &&
                         column <= 2 * (i % 2) + 1;
      CHECK((padded != padded) == holds);
    }
  }
}

TEST_CASE("pools with overlapping windows and padding") {
  constexpr pool padded{.kernel = {3, 4}, .stride = {2, 3}, .padding = {1, 2}};
  check_pools<padded>(2, 6, 7);
  check_pools<padded>(1, 1, 1);
  check_pools<pool{.kernel = {3, 4}, .stride = {2, 1}, .padding = {0, 2}, .count_include_pad = false}>(2, 5,
                                                                                                       4);
}

TEST_CASE("pools with windows that do not touch, or of one element in a direction") {
  check_pools<pool{.kernel = {2, 1}, .stride = {3, 2}}>(2, 7, 4);
}

TEST_CASE("padding is smaller than every number in a maximum") {
  tl::function f{[] {
    auto x = tl::input<"x", float, 1, 1, 3>;
    auto y = tl::max_pool1d<pool{.kernel = 2, .stride = 1, .padding = 1}>(x);
    auto mean = tl::avg_pool1d<pool{.kernel = 2, .stride = 1, .padding = 1, .count_include_pad = false}>(x);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(tl::grad(tl::sum(y), x)), tl::named<"mean">(mean));
  }};
  auto r = f("x"_t = std::vector<float>{-3, -1, -2});
  check(test::elements(r.get<"y">()), {-3, -1, -1, -2});
  check(test::elements(r.get<"g">()), {1, 2, 1});
  check(test::elements(r.get<"mean">()), {-3, -2, -1.5, -2});
}

namespace {

template <int Height, int Width, int Rows, int Columns>
struct adaptive {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, 2, Rows, Columns>;
    auto max = tl::adaptive_max_pool2d<Height, Width>(x);
    auto mean = tl::adaptive_avg_pool2d<Height, Width>(x);
    return tl::outputs(tl::named<"max">(max), tl::named<"mean">(mean),
                       tl::named<"max_gradient">(tl::grad(tl::sum(tl::square(max)), x)),
                       tl::named<"mean_gradient">(tl::grad(tl::sum(tl::square(mean)), x)));
  }
};

std::vector<range> adaptive_windows(std::int64_t extent, std::int64_t count) {
  std::vector<range> all;
  for (std::int64_t i = 0; i < count; ++i)
    all.push_back({i * extent / count, ((i + 1) * extent + count - 1) / count});
  return all;
}

template <int Height, int Width, int Rows, int Columns>
void check_adaptive() {
  const auto x = numbers_with_ties(2 * 2 * Rows * Columns);
  tl::function f{adaptive<Height, Width, Rows, Columns>{}};
  check_all(f("x"_t = x, "n"_t = 2),
            pooled(x, Rows, Columns, adaptive_windows(Rows, Height), adaptive_windows(Columns, Width), true));
}

}  // namespace

TEST_CASE("adaptive pools, where the sizes divide and where they do not") {
  check_adaptive<3, 2, 6, 4>();
  check_adaptive<3, 2, 7, 5>();
  check_adaptive<3, 5, 6, 2>();
}

TEST_CASE("one extent of an adaptive pool is that of all axes") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 1, 1, 4, 4>;
    return tl::outputs(tl::named<"mean">(tl::adaptive_avg_pool2d<2>(x)),
                       tl::named<"same">(tl::adaptive_avg_pool2d<2, 2>(x)),
                       tl::named<"max">(tl::adaptive_max_pool3d<2>(tl::reshape<1, 1, 4, 2, 2>(x))));
  }};
  const auto r = f("x"_t = test::numbers().vector(16));
  CHECK(test::elements(r.get<"mean">()) == test::elements(r.get<"same">()));
  CHECK(r.get<"max">().size() == 8);
}

TEST_CASE("an adaptive mean of run-time images") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 2, h, w>;
    auto y = tl::adaptive_avg_pool2d<3, 2>(x);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(tl::grad(tl::sum(tl::square(y)), x)));
  }};
  const auto x = numbers_with_ties(2 * 7 * 4);
  const pooled expected(x, 7, 4, adaptive_windows(7, 3), adaptive_windows(4, 2), true);
  auto r = f("x"_t = x, "n"_t = 1, "h"_t = 7, "w"_t = 4);
  check(test::elements(r.get<"y">()), expected.mean);
  check(test::elements(r.get<"g">()), expected.mean_gradient);
}

TEST_CASE("global pools keep the axes that they reduce") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 2, h, w>;
    auto max = tl::global_max_pool2d(x);
    auto mean = tl::global_avg_pool2d(x);
    return tl::outputs(tl::named<"max">(max), tl::named<"mean">(mean),
                       tl::named<"g">(tl::grad(tl::sum(max + mean), x)));
  }};
  auto r = f("x"_t = std::vector<double>{1, 5, 5, 1, 0, -2, -4, 2}, "n"_t = 1, "h"_t = 2, "w"_t = 2);
  const auto max = r.get<"max">();
  CHECK(std::vector<std::int64_t>(max.shape().begin(), max.shape().end()) ==
        std::vector<std::int64_t>{1, 2, 1, 1});
  check(test::elements(r.get<"max">()), {5, 2});
  check(test::elements(r.get<"mean">()), {3, -1});
  check(test::elements(r.get<"g">()), {0.25, 0.75, 0.75, 0.25, 0.25, 0.25, 0.25, 1.25});
}
