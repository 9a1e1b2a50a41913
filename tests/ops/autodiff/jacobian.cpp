// SPDX-License-Identifier: BSL-1.0
#include "catch.hpp"
#include "program.hpp"

using vector = std::vector<double>;

TEST_CASE("jacobian has a row for each element of the result") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 3>;
    auto w = tl::input<"w", double, 2, 3>;
    auto y = tl::tanh(tl::matmul(w, x));
    return tl::outputs(tl::named<"y">(y), tl::named<"dx">(tl::jacobian(y, x)),
                       tl::named<"dw">(tl::jacobian(y, w)));
  }};
  const vector x{0.3, -0.2, 0.5}, w{1, 2, -1, 0.5, -0.5, 1};
  auto r = f("x"_t = x, "w"_t = w);
  const vector y = test::elements(r.get<"y">()), dx = test::elements(r.get<"dx">()),
               dw = test::elements(r.get<"dw">());
  REQUIRE(dx.size() == 6);
  REQUIRE(dw.size() == 12);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double slope = 1 - y[i] * y[i];
      CHECK(dx[3 * i + j] == test::Approx(slope * w[3 * i + j]).epsilon(1e-12));
      for (std::size_t k = 0; k < 2; ++k)
        CHECK(dw[6 * i + 3 * k + j] == test::Approx(i == k ? slope * x[j] : 0).epsilon(1e-12));
    }
}

TEST_CASE("hessian of a polynomial, for a run-time extent too") {
  tl::function f{[] {
    auto x = tl::input<"x", double, tl::dyn<"n">>;
    return tl::named<"h">(tl::hessian(tl::sum(x * x * x) + tl::square(tl::sum(x)), x));
  }};
  for (const vector& x : {vector{1, 2}, vector{3, -1, 2}}) {
    auto r = f("x"_t = x);
    const vector h = test::elements(r.get<"h">());
    REQUIRE(h.size() == x.size() * x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j)
        CHECK(h[i * x.size() + j] == test::Approx(2 + (i == j ? 6 * x[i] : 0)).epsilon(1e-12));
  }
}
