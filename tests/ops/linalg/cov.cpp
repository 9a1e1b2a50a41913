// SPDX-License-Identifier: BSL-1.0
// cov and corrcoef against PyTorch 2.15: values and gradients; of one variable, of too few observations, of
// equal ones, of large numbers.
#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <tapeless/ops/linalg/corrcoef.hpp>
#include <tapeless/ops/linalg/cov.hpp>

#include <cmath>

namespace {

constexpr auto k = tl::dyn<"k">, n = tl::dyn<"n">;

using test::check;

template <tl::extent Variables, tl::extent Observations>
struct model {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, Variables, Observations>;
    auto w = tl::input<"w", double, Variables, Variables>;
    auto cov = tl::cov(x);
    auto biased = tl::cov(x, tl::correction<0>);
    auto r = tl::corrcoef(x);
    return tl::outputs(tl::named<"cov">(cov), tl::named<"cov by x">(tl::grad(tl::sum(w * cov), x)),
                       tl::named<"biased">(biased),
                       tl::named<"biased by x">(tl::grad(tl::sum(w * biased), x)), tl::named<"r">(r),
                       tl::named<"r by x">(tl::grad(tl::sum(w * r), x)));
  }
};

}  // namespace

TEST_CASE("cov and corrcoef and their gradients are those of PyTorch") {
  const auto judge = [](auto f) {
    auto r = f("x"_t = test::numbers(1).vector(12, -2, 2), "w"_t = test::numbers(2).vector(9));
    check(r.template get<"cov">(), {0.63984530553, 0.7288655665, 0.32630002445, 0.7288655665, 1.5050119928,
                                    0.45025874895, 0.32630002445, 0.45025874895, 1.1134022473});
    check(r.template get<"cov by x">(),
          {0.60593141661, -0.41388363917, 0.2423538781, -0.43440165554, -0.21963674293, -0.46055068062,
           0.5066605021, 0.17352692146, 0.73200844997, 0.25225989742, -0.46138656213, -0.52288178526});
    check(r.template get<"biased">(),
          {0.47988397915, 0.54664917487, 0.24472501834, 0.54664917487, 1.1287589946, 0.33769406171,
           0.24472501834, 0.33769406171, 0.83505168548});
    check(r.template get<"biased by x">(),
          {0.45444856246, -0.31041272938, 0.18176540857, -0.32580124165, -0.1647275572, -0.34541301047,
           0.37999537657, 0.13014519109, 0.54900633747, 0.18919492307, -0.3460399216, -0.39216133894});
    check(r.template get<"r">(), {1, 0.74274538021, 0.38659262573, 0.74274538021, 1, 0.34782927635,
                                  0.38659262573, 0.34782927635, 1});
    check(r.template get<"r by x">(),
          {0.31507789025, -0.65426289997, 0.35878796267, -0.019602952946, 0.15262319796, -0.30511010438,
           0.09250024037, 0.059986666044, 0.45801146656, 0.49627304876, -0.45527507452, -0.4990094408});
  };
  judge(tl::function{model<3, 4>{}});
  judge(tl::function{model<3, n>{}});
  judge(tl::function{model<k, 4>{}});
}

TEST_CASE("the covariance of one variable is its variance, and of many matrices each has its own") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n>;
    auto v = tl::cov(x);
    auto many = tl::input<"many", double, 2, 1, 3>;
    return tl::outputs(tl::named<"v">(v), tl::named<"by x">(tl::grad(v, x)), tl::named<"r">(tl::corrcoef(x)),
                       tl::named<"many">(tl::cov(many)), tl::named<"var">(tl::var<-1>(many)));
  }};
  auto r = f("x"_t = test::numbers(1).vector(4, -2, 2), "many"_t = std::vector<double>{1, 2, 6, 4, 2, 0});
  check(r.get<"v">(), {0.63984530553});
  CHECK(r.get<"v">().shape().empty());
  check(r.get<"by x">(), {-0.57935289542, -0.22517923514, 0.13474444548, 0.66978768508});
  check(r.get<"r">(), {1});
  check(r.get<"many">(), {7, 4});
  check(r.get<"var">(), {7, 4});
}

TEST_CASE("cov and corrcoef of few observations, of equal ones and of large numbers") {
  const double none = std::nan("");
  const auto judge = [&](auto f, const std::vector<double>& x, const std::vector<double>& cov,
                         const std::vector<double>& r) {
    auto found = f("x"_t = x, "w"_t = std::vector<double>(4, 1));
    check(found.template get<"cov">(), cov);
    check(found.template get<"r">(), r, 1e-15);
  };
  const std::vector<double> nothing(4, none);
  judge(tl::function{model<2, 1>{}}, {1, 2}, nothing, nothing);
  judge(tl::function{model<2, n>{}}, {}, nothing, nothing);
  tl::function three{model<2, 3>{}};
  judge(std::ref(three), {0.1, 0.1, 0.1, 1, 2, 3}, {0, 0, 0, 1}, {none, none, none, 1});
  judge(std::ref(three), {1e200, 2e200, 3e200, -1e-200, -2e-200, -3e-200}, {INFINITY, -1, -1, 0},
        {1, -1, -1, 1});
  judge(std::ref(three), {1e9 + 1, 1e9 + 2, 1e9 + 3, 3, 2, 1}, {1, -1, -1, 1}, {1, -1, -1, 1});
}

TEST_CASE("second derivatives of corrcoef do not depend on how 1 is rounded") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2, 3>;
    auto r = tl::corrcoef(x);
    return tl::outputs(tl::named<"r">(r), tl::named<"twice">(tl::hessian(
                                              tl::sum(tl::slice<1, 1, 2>(tl::slice<0, 0, 1>(r))), x)));
  }};
  // y = c x + d: r is 1 and its curvature by y is that of the cosine, (u u' - 1 + 1 1' / 3) / |y|^2.
  for (const double factor : {1., 2., 3., 5., 7., 0.1, 0.3, 0.7, 1.1, 1.3}) {
    std::vector<double> x{0.1, 0.5, 1.7, 0, 0, 0};
    for (std::size_t i = 0; i < 3; ++i) x[3 + i] = factor * x[i];
    auto r = f("x"_t = x);
    for (const double e : r.get<"r">()) CHECK(std::abs(e) <= 1);
    const double mean = (x[3] + x[4] + x[5]) / 3;
    double squares = 0;
    for (std::size_t i = 0; i < 3; ++i) squares += (x[3 + i] - mean) * (x[3 + i] - mean);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double u = (x[3 + i] - mean) * (x[3 + j] - mean) / squares;
        const double expected = (u - (i == j ? 1 : 0) + 1 / 3.) / squares;
        CHECK(r.get<"twice">()[(3 + i) * 6 + 3 + j] == test::Approx(expected).margin(1e-9 / squares));
      }
  }
}
