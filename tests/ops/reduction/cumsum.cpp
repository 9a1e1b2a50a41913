// SPDX-License-Identifier: BSL-1.0
// Sums along an axis: long lines keep their digits, in both directions.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>

namespace {

constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">;

// Along the axis, and from its end, as a gradient is.
template <class T, int Axis>
struct summed {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, m>;
    auto y = tl::cumsum<Axis>(x);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(tl::vjp(y, x, x)));
  }
};

/// The largest error relative to the sum, from the start or from the end, of numbers that are all positive.
template <class View, class T>
double worst(const View& found, const std::vector<T>& x, std::size_t line, std::size_t step,
             std::size_t count, bool from_the_end) {
  long double sum = 0;
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = line + step * (from_the_end ? count - 1 - i : i);
    sum += static_cast<long double>(x[at]);
    const long double error = (static_cast<long double>(found[at]) - sum) / sum;
    most = std::max(most, static_cast<double>(std::abs(error)));
  }
  return most;
}

template <class T, int Axis, class Policy>
void check_lines(std::size_t rows, std::size_t columns, double most) {
  const std::vector<T> x = test::numbers().vector<T>(rows * columns, 0.1, 1);
  tl::function<summed<T, Axis>, Policy> f{summed<T, Axis>{}};
  auto r = f("x"_t = x, "n"_t = static_cast<std::int64_t>(rows));
  auto y = r.template get<"y">();
  auto g = r.template get<"g">();
  const std::size_t lines = Axis == 0 ? columns : rows, count = Axis == 0 ? rows : columns;
  for (std::size_t i = 0; i < lines; i += lines < 3 ? 1 : lines / 2) {
    const std::size_t line = Axis == 0 ? i : i * columns, step = Axis == 0 ? columns : 1;
    CHECK(worst(y, x, line, step, count, false) <= most);
    CHECK(worst(g, x, line, step, count, true) <= most);
  }
}

}  // namespace

TEST_CASE("sums along two million float lose nothing, in lines and in neighbouring ones") {
  test::on_each_policy([]<class Policy>() {
    check_lines<float, 1, Policy>(1, 2000000, 1e-7);
    check_lines<float, 0, Policy>(20000, 70, 1e-7);
  });
}

TEST_CASE("sums along two million double lose little") {
  test::on_each_policy([]<class Policy>() {
    check_lines<double, 1, Policy>(1, 2000000, 4e-15);
    check_lines<double, 0, Policy>(20000, 70, 2e-15);
  });
}

TEST_CASE("sums go on behind infinity, and each block knows those before it") {
  test::on_each_policy([]<class Policy>() {
    constexpr std::size_t count = 70000;  // more than 256 blocks of 256
    std::vector<double> x(count, 1);
    tl::function<summed<double, 1>, Policy> f{summed<double, 1>{}};
    auto y = f("x"_t = x, "n"_t = 1).template get<"y">();
    bool all_right = true;
    for (std::size_t i = 0; i < count; ++i) all_right = all_right && y[i] == static_cast<double>(i + 1);
    CHECK(all_right);
    x[5] = std::numeric_limits<double>::infinity();
    auto z = f("x"_t = x, "n"_t = 1).template get<"y">();
    CHECK(z[4] == 5);
    CHECK(z[5] == x[5]);
    CHECK(z[count - 1] == x[5]);
  });
}
