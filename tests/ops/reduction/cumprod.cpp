// SPDX-License-Identifier: BSL-1.0
// Products along an axis: their derivatives are exact where elements are 0, along every axis.
#include <cmath>

#include "laws/laws.hpp"

#include <tapeless/ops/reduction/cumprod.hpp>

using laws::part;

TAPELESS_LAW(cumprod, 12, 12, -2, 2,
             tl::cumprod<1>(part<0, 2, 3, 2>(z)) * tl::cumprod<-1>(part<0, 2, 3, 2>(z)))

namespace {

constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">;

/// The products, the gradient of their weighted sum, and that gradient's in the direction v.
template <class T, int Axis>
struct multiplied {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, m>;
    auto y = tl::cumprod<Axis>(x);
    auto g = tl::vjp(y, x, tl::input<"u", T, n, m>);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(g),
                       tl::named<"h">(tl::vjp(g, x, tl::input<"v", T, n, m>)));
  }
};

/// The product of the elements of a line up to `end`, without those at a and b.
template <class T>
double product_without(const std::vector<T>& x, std::size_t line, std::size_t step, std::size_t end,
                       std::size_t a, std::size_t b) {
  double product = 1;
  for (std::size_t i = 0; i <= end; ++i)
    if (i != a && i != b) product *= static_cast<double>(x[line + i * step]);
  return product;
}

template <class T, int Axis, class Policy>
void check(std::size_t rows, std::size_t columns, bool with_zeros) {
  test::numbers next;
  std::vector<T> x = next.vector<T>(rows * columns, 0.5, 1.5);
  const std::vector<T> u = next.vector<T>(x.size()), v = next.vector<T>(x.size());
  if (with_zeros)
    for (std::size_t i = 1; i < x.size(); i += 3) x[i] = 0;  // lines with none, one, and several
  tl::function<multiplied<T, Axis>, Policy> f{multiplied<T, Axis>{}};
  auto r = f("x"_t = x, "u"_t = u, "v"_t = v, "n"_t = static_cast<std::int64_t>(rows));
  auto y = r.template get<"y">();
  auto g = r.template get<"g">();
  auto h = r.template get<"h">();
  const std::size_t lines = Axis == 0 ? columns : rows, count = Axis == 0 ? rows : columns;
  const std::size_t step = Axis == 0 ? columns : 1, none = count;
  const double margin = std::is_same_v<T, float> ? 2e-5 : 1e-12;
  for (std::size_t l = 0; l < lines; ++l) {
    const std::size_t line = Axis == 0 ? l : l * columns;
    for (std::size_t i = 0; i < count; ++i) {
      double first = 0, second = 0;
      for (std::size_t k = i; k < count; ++k) {
        first += static_cast<double>(u[line + k * step]) * product_without(x, line, step, k, i, none);
        for (std::size_t j = 0; j <= k; ++j)
          if (j != i)
            second += static_cast<double>(u[line + k * step]) * static_cast<double>(v[line + j * step]) *
                      product_without(x, line, step, k, i, j);
      }
      INFO("line " << l << ", element " << i);
      const std::size_t at = line + i * step;
      CHECK(std::abs(y[at] - product_without(x, line, step, i, none, none)) <= margin);
      CHECK(std::abs(g[at] - first) <= margin);
      CHECK(std::abs(h[at] - second) <= 10 * margin);
    }
  }
}

}  // namespace

TEST_CASE("products along an axis and their derivatives, also where elements are 0") {
  test::on_each_policy([]<class Policy>() {
    for (const bool with_zeros : {false, true}) {
      check<double, 1, Policy>(3, 7, with_zeros);
      check<double, 0, Policy>(7, 3, with_zeros);
      check<float, 1, Policy>(4, 5, with_zeros);
    }
    check<double, 0, Policy>(1, 4, true);
    check<double, 1, Policy>(4, 1, true);
  });
}

TEST_CASE("products of float keep their digits along a line") {
  test::on_each_policy([]<class Policy>() {
    constexpr std::size_t count = 100000;
    const std::vector<float> x(count, 1.0001f);
    tl::function f{[] { return tl::named<"y">(tl::cumprod<0>(tl::input<"x", float, n>)); }, Policy{}};
    const auto y = f("x"_t = x).template get<"y">();
    const double expected = std::pow(static_cast<double>(1.0001f), static_cast<double>(count));
    CHECK(std::abs(y[count - 1] / expected - 1) < 1e-6);
  });
}

namespace {

// Along an axis whose lines are neighbours, and along one in which each is by itself.
constexpr auto two_ways = [] {
  auto x = tl::input<"x", float, 37, 303>;
  auto t = tl::permute<1, 0>(x);
  return tl::outputs(tl::named<"product">(tl::cumprod<0>(x)),
                     tl::named<"product_of_lines">(tl::permute<1, 0>(tl::cumprod<1>(t))),
                     tl::named<"slope">(tl::grad(tl::sum(tl::cumprod<0>(x)), x)),
                     tl::named<"slope_of_lines">(tl::grad(tl::sum(tl::cumprod<1>(t)), x)));
};

}  // namespace

TEST_CASE("scans of neighbouring lines have the bits of those of single lines") {
  tl::function f{two_ways, tl::cpu_by_tables{.threads = 1}};
  const auto x = test::numbers(3).vector<float>(37 * 303);
  const auto r = f("x"_t = x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(r.get<"product">()[i] == r.get<"product_of_lines">()[i]);
    CHECK(r.get<"slope">()[i] == r.get<"slope_of_lines">()[i]);
  }
}
