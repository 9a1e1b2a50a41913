// SPDX-License-Identifier: BSL-1.0
// Reductions over any axes, kept or dropped, of extents that are no multiple of a vector's width.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>

namespace {

constexpr auto a = tl::dyn<"a">, b = tl::dyn<"b">, c = tl::dyn<"c">;

template <class T>
struct sums {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, a, b, c>;
    return tl::outputs(tl::named<"0">(tl::sum<0>(x)), tl::named<"1">(tl::sum<1>(x, tl::keep_dims)),
                       tl::named<"2">(tl::sum<-1>(x)), tl::named<"01">(tl::sum<0, 1>(x)),
                       tl::named<"02">(tl::sum<-3, 2>(x)), tl::named<"12">(tl::mean<1, 2>(x, tl::keep_dims)),
                       tl::named<"012">(tl::sum(tl::square(x))));
  }
};

constexpr auto extremes = [] {
  auto x = tl::input<"x", float, a, b, c>;
  return tl::outputs(tl::named<"0">(tl::max<0>(x)), tl::named<"1">(tl::min<1>(x, tl::keep_dims)),
                     tl::named<"2">(tl::max<-1>(-x)), tl::named<"01">(tl::min<0, 1>(x)),
                     tl::named<"02">(tl::max<0, 2>(x)), tl::named<"12">(tl::max<1, 2>(x, tl::keep_dims)),
                     tl::named<"012">(tl::min(x)));
};

constexpr auto products = [] {
  auto x = tl::input<"x", double, a, b, c>;
  return tl::outputs(tl::named<"0">(tl::prod<0>(x)), tl::named<"1">(tl::prod<1>(x, tl::keep_dims)),
                     tl::named<"12">(tl::prod<-1, 1>(x, tl::keep_dims)), tl::named<"012">(tl::prod(x)),
                     tl::named<"var">(tl::var<0, 2>(x, tl::correction<0>)),
                     tl::named<"norm">(tl::norm<0, 1>(x)));
};

using combine = double (*)(double, double);
double add(double left, double right) { return left + right; }
double times(double left, double right) { return left * right; }
double larger(double left, double right) { return std::max(left, right); }
double smaller(double left, double right) { return std::min(left, right); }

// x reduced over the axes in `mask`, by loops.
std::vector<double> reduced(const std::vector<double>& x, const std::size_t (&extents)[3], unsigned mask,
                            combine f, double start) {
  const std::size_t e[] = {(mask & 1u) != 0 ? 1 : extents[0], (mask & 2u) != 0 ? 1 : extents[1],
                           (mask & 4u) != 0 ? 1 : extents[2]};
  std::vector<double> y(e[0] * e[1] * e[2], start);
  for (std::size_t i = 0; i < extents[0]; ++i)
    for (std::size_t j = 0; j < extents[1]; ++j)
      for (std::size_t l = 0; l < extents[2]; ++l) {
        double& to = y[((i % e[0]) * e[1] + j % e[1]) * e[2] + l % e[2]];
        to = f(to, x[(i * extents[1] + j) * extents[2] + l]);
      }
  return y;
}

template <class View>
void check(const View& view, const std::vector<double>& expected, double tolerance) {
  REQUIRE(view.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(static_cast<double>(view[i]) == test::Approx(expected[i]).epsilon(tolerance).margin(tolerance));
}

struct sizes {
  std::size_t extents[3];
};
const std::vector<sizes> all_sizes{{{2, 3, 1}},  {{2, 3, 2}},  {{3, 2, 7}},  {{2, 2, 8}},  {{2, 3, 9}},
                                   {{1, 4, 15}}, {{3, 1, 16}}, {{2, 3, 17}}, {{2, 2, 33}}, {{17, 1, 1}},
                                   {{1, 33, 1}}, {{1, 1, 1}},  {{5, 9, 31}}};

}  // namespace

TEMPLATE_TEST_CASE("sums and means", "", float, double) {
  tl::function f{sums<TestType>{}};
  const double tolerance = sizeof(TestType) == 4 ? 2e-6 : 1e-13;
  for (const auto& [e] : all_sizes) {
    INFO(e[0] << " x " << e[1] << " x " << e[2]);
    const auto x = test::numbers().vector<TestType>(e[0] * e[1] * e[2]);
    auto r = f("x"_t = x, "a"_t = static_cast<int>(e[0]), "b"_t = static_cast<int>(e[1]));
    const std::vector<double> in(x.begin(), x.end());
    check(r.template get<"0">(), reduced(in, e, 1, add, 0), tolerance);
    check(r.template get<"1">(), reduced(in, e, 2, add, 0), tolerance);
    CHECK(r.template get<"1">().shape().size() == 3);
    check(r.template get<"2">(), reduced(in, e, 4, add, 0), tolerance);
    check(r.template get<"01">(), reduced(in, e, 3, add, 0), tolerance);
    check(r.template get<"02">(), reduced(in, e, 5, add, 0), tolerance);
    std::vector<double> means = reduced(in, e, 6, add, 0);
    for (double& mean : means) mean /= static_cast<double>(e[1] * e[2]);
    check(r.template get<"12">(), means, tolerance);
    std::vector<double> squares;
    for (double number : in) squares.push_back(number * number);
    check(r.template get<"012">(), reduced(squares, e, 7, add, 0), tolerance);
  }
}

TEST_CASE("the largest and the smallest element") {
  tl::function f{extremes};
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [e] : all_sizes) {
    INFO(e[0] << " x " << e[1] << " x " << e[2]);
    const auto x = test::numbers().vector<float>(e[0] * e[1] * e[2]);
    auto r = f("x"_t = x, "a"_t = static_cast<int>(e[0]), "b"_t = static_cast<int>(e[1]));
    const std::vector<double> in(x.begin(), x.end());
    std::vector<double> negative;
    for (double number : in) negative.push_back(-number);
    check(r.get<"0">(), reduced(in, e, 1, larger, -infinity), 0);
    check(r.get<"1">(), reduced(in, e, 2, smaller, infinity), 0);
    check(r.get<"2">(), reduced(negative, e, 4, larger, -infinity), 0);
    check(r.get<"01">(), reduced(in, e, 3, smaller, infinity), 0);
    check(r.get<"02">(), reduced(in, e, 5, larger, -infinity), 0);
    check(r.get<"12">(), reduced(in, e, 6, larger, -infinity), 0);
    check(r.get<"012">(), reduced(in, e, 7, smaller, infinity), 0);
  }
}

TEST_CASE("products, variances and norms over any axes") {
  tl::function f{products};
  for (const auto& [e] : all_sizes) {
    INFO(e[0] << " x " << e[1] << " x " << e[2]);
    const auto x = test::numbers().vector(e[0] * e[1] * e[2], 0.5, 1.5);
    auto r = f("x"_t = x, "a"_t = static_cast<int>(e[0]), "b"_t = static_cast<int>(e[1]));
    check(r.get<"0">(), reduced(x, e, 1, times, 1), 1e-13);
    check(r.get<"1">(), reduced(x, e, 2, times, 1), 1e-13);
    check(r.get<"12">(), reduced(x, e, 6, times, 1), 1e-13);
    check(r.get<"012">(), reduced(x, e, 7, times, 1), 1e-13);
    std::vector<double> squares;
    for (double number : x) squares.push_back(number * number);
    const auto sum = reduced(x, e, 5, add, 0);
    auto variance = reduced(squares, e, 5, add, 0), norm = reduced(squares, e, 3, add, 0);
    const auto count = static_cast<double>(e[0] * e[2]);
    for (std::size_t i = 0; i < sum.size(); ++i)
      variance[i] = variance[i] / count - sum[i] / count * (sum[i] / count);
    for (double& length : norm) length = std::sqrt(length);
    check(r.get<"var">(), variance, 1e-13);
    check(r.get<"norm">(), norm, 1e-13);
  }
}

TEST_CASE("reductions of nothing are what they start from") {
  tl::function f{sums<float>{}};
  auto r = f("x"_t = std::vector<float>{}, "a"_t = 0, "b"_t = 3, "c"_t = 2);
  CHECK(r.get<"0">().size() == 6);
  for (float number : r.get<"0">()) CHECK(number == 0);
  CHECK(r.get<"1">().size() == 0);
  CHECK(r.get<"012">()[0] == 0);

  tl::function g{extremes};
  auto s = g("x"_t = std::vector<float>{}, "a"_t = 0, "b"_t = 3, "c"_t = 2);
  for (float number : s.get<"0">()) CHECK(number == -std::numeric_limits<float>::infinity());
  CHECK(s.get<"012">()[0] == std::numeric_limits<float>::infinity());
}

TEST_CASE("a maximum passes NaN on, wherever it stands") {
  tl::function f{extremes};
  for (std::size_t at = 0; at < 19; ++at) {
    auto x = test::numbers().vector<float>(19);
    x[at] = std::numeric_limits<float>::quiet_NaN();
    auto r = f("x"_t = x, "a"_t = 1, "b"_t = 1);
    CHECK(std::isnan(r.get<"012">()[0]));
    CHECK(std::isnan(r.get<"2">()[0]));
  }
}
