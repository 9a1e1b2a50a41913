// SPDX-License-Identifier: BSL-1.0
// The cosine of vectors and the losses of pairs and triples of them: values, and finite gradients everywhere.
#include "catch.hpp"
#include "program.hpp"

#include <tapeless/ops/loss/cosine_embedding_loss.hpp>

#include <cmath>

namespace {

using tl::loss, tl::reduction;

constexpr auto n = tl::dyn<"n">;
constexpr loss each{.reduce = reduction::none};
constexpr loss with_margin{.reduce = reduction::none, .margin = 0.5};
constexpr loss near{.reduce = reduction::none, .margin = 0.5, .power = 1};
constexpr loss cubes{.reduce = reduction::none, .power = 3};

void check(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i);
    CHECK(found[i] == test::Approx(expected[i]).epsilon(0).margin(1e-6));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("cosine_similarity", "", float, double) {
  tl::function f{[] {
    auto a = tl::input<"a", TestType, n, 2>;
    auto b = tl::input<"b", TestType, n, 2>;
    auto y = tl::cosine_similarity(a, b);
    auto rows = tl::reshape<n, 1, 2>(a);
    auto columns = tl::reshape<1, n, 2>(b);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(tl::grad(tl::sum(y), a)),
                       tl::named<"down">(tl::cosine_similarity<0>(a, b)),
                       tl::named<"all">(tl::cosine_similarity<2>(rows, columns)));
  }};
  auto r =
      f("a"_t = std::vector<TestType>{3, 4, 0, 0, -1, 0}, "b"_t = std::vector<TestType>{4, 3, 1, 2, 2, 0});
  check(test::elements(r.template get<"y">()), {0.96, 0, -1});
  // b / (|a| |b|) less its part along a; a vector that is 0 has no direction, and eps bounds its gradient.
  const std::vector<double> g = test::elements(r.template get<"g">());
  check({g[0], g[1], g[4], g[5]}, {0.16 - 0.96 * 0.12, 0.12 - 0.96 * 0.16, 0, 0});
  for (double v : g) CHECK(std::isfinite(v));
  check(test::elements(r.template get<"down">()), {10 / std::sqrt(10.0 * 21), 12 / std::sqrt(16.0 * 13)});
  check(test::elements(r.template get<"all">()),
        {0.96, 11 / std::sqrt(125.0), 0.6, 0, 0, 0, -0.8, -1 / std::sqrt(5.0), -1});
}

TEST_CASE("cosine_embedding_loss: like pairs must point one way, unlike ones must not") {
  tl::function f{[] {
    auto a = tl::input<"a", double, n, 2>;
    auto b = tl::input<"b", double, n, 2>;
    auto y = tl::input<"y", int, n>;
    return tl::outputs(tl::named<"mean">(tl::cosine_embedding_loss(a, b, y)),
                       tl::named<"margin">(tl::cosine_embedding_loss<with_margin>(a, b, y)));
  }};
  auto r = f("a"_t = std::vector<double>{3, 4, 3, 4, 1, 0}, "b"_t = std::vector<double>{4, 3, 4, 3, -1, 1},
             "y"_t = std::vector<int>{1, -1, -1});
  check(test::elements(r.get<"margin">()), {0.04, 0.46, 0});
  check({r.get<"mean">()[0]}, {1.0 / 3});
}

TEST_CASE("triplet_margin_loss") {
  tl::function f{[] {
    auto a = tl::input<"a", double, n, 2>;
    auto p = tl::input<"p", double, n, 2>;
    auto q = tl::input<"q", double, n, 2>;
    auto l = tl::triplet_margin_loss<each>(a, p, q);
    return tl::outputs(tl::named<"l">(l), tl::named<"g">(tl::grad(tl::sum(l), a)),
                       tl::named<"near">(tl::triplet_margin_loss<near>(a, p, q)),
                       tl::named<"cubes">(tl::triplet_margin_loss<cubes>(a, p, q)));
  }};
  auto r = f("a"_t = std::vector<double>{0, 0, 1, 1}, "p"_t = std::vector<double>{3, 4, 1, 1},
             "q"_t = std::vector<double>{0, 2, 5, 1});
  CHECK(r.get<"l">()[0] == test::Approx(4).margin(1e-5));
  CHECK(r.get<"l">()[1] == 0);
  CHECK(r.get<"near">()[0] == test::Approx(5.5).margin(1e-5));
  CHECK(r.get<"cubes">()[0] == test::Approx(std::cbrt(91.0) - 2 + 1).margin(1e-5));
  const std::vector<double> g = test::elements(r.get<"g">());
  CHECK(g[0] == test::Approx(-0.6).margin(1e-5));
  CHECK(g[1] == test::Approx(-0.8 + 1).margin(1e-5));
  CHECK(g[2] == 0);
  CHECK(g[3] == 0);
}
