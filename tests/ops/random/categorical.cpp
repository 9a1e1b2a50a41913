// SPDX-License-Identifier: BSL-1.0
// Draws of classes: how often each is drawn, classes that never are, and what can be done with an index.
#include <tapeless/ops/random/categorical.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>

namespace {

constexpr auto n = tl::dyn<"n">;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct draws {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, 5>;
    auto rows = tl::expand<n, 5>(x);
    auto drawn = tl::categorical<"c">(tl::cast<float>(rows));
    return tl::outputs(tl::named<"drawn">(drawn), tl::named<"double">(tl::categorical<"d">(rows)),
                       tl::named<"half">(tl::categorical<"h">(tl::cast<tl::f16>(rows))),
                       tl::named<"columns">(tl::categorical<"e", 0>(tl::permute<1, 0>(rows))),
                       tl::named<"one">(tl::categorical<"f">(x)),
                       tl::named<"picked">(tl::gather<1>(rows, tl::unsqueeze<-1>(drawn))),
                       tl::named<"loss">(tl::cross_entropy(rows, drawn)));
  }
};

}  // namespace

TEST_CASE("categorical draws classes by their probabilities, the same on every policy") {
  const std::vector<double> p{0.5, 0, 0.25, 0.2, 0.05};
  std::vector<double> x;
  for (const double share : p) x.push_back(share == 0 ? -infinity : std::log(share) + 3);
  const double rows = 20000;
  tl::function alone{draws{}, tl::cpu{.threads = 1}, 3};
  auto expected = alone("x"_t = x, "n"_t = 20000);
  const auto compare = [&](const auto& r) {
    CHECK(test::elements(r.template get<"drawn">()) == test::elements(expected.get<"drawn">()));
    CHECK(test::elements(r.template get<"double">()) == test::elements(expected.get<"double">()));
    CHECK(test::elements(r.template get<"half">()) == test::elements(expected.get<"half">()));
    CHECK(test::elements(r.template get<"columns">()) == test::elements(expected.get<"columns">()));
    CHECK(test::elements(r.template get<"one">()) == test::elements(expected.get<"one">()));
  };
  tl::function three{draws{}, tl::cpu{.threads = 3}, 3};
  compare(three("x"_t = x, "n"_t = 20000));
  test::on_each_policy([&]<class Policy>() {
    tl::function<draws, Policy> f{draws{}, Policy{}, 3};
    compare(f("x"_t = x, "n"_t = 20000));
  });

  for (const auto& all :
       {test::elements(expected.get<"drawn">()), test::elements(expected.get<"double">()),
        test::elements(expected.get<"half">()), test::elements(expected.get<"columns">())}) {
    REQUIRE(all.size() == 20000);
    std::vector<double> count(5);
    for (const double i : all) ++count.at(static_cast<std::size_t>(i));
    CHECK(count[1] == 0);
    for (std::size_t i = 0; i < 5; ++i)
      CHECK(std::abs(count[i] / rows - p[i]) <= 3.5 * std::sqrt(p[i] * (1 - p[i]) / rows));
  }
  CHECK(test::elements(expected.get<"drawn">()) != test::elements(expected.get<"double">()));

  // An index is a label and picks elements.
  const auto drawn = test::elements(expected.get<"drawn">()),
             picked = test::elements(expected.get<"picked">());
  double loss = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    REQUIRE(picked[i] == x[static_cast<std::size_t>(drawn[i])]);
    loss -= std::log(p[static_cast<std::size_t>(drawn[i])]) / rows;
  }
  CHECK(expected.get<"loss">()[0] == test::Approx(loss));
  // Another seed has other draws.
  alone.seed(4);
  CHECK(test::elements(alone("x"_t = x, "n"_t = 20000).get<"drawn">()) != drawn);
}

TEST_CASE("categorical has the index of NaN, and of what alone is not -infinity") {
  tl::function f{[] { return tl::named<"y">(tl::categorical<"c">(tl::input<"x", double, 4, 3>)); }};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x{0,         nan,  9,         -infinity, -infinity, -1e300,
                              -infinity, -700, -infinity, 0,         0,         1000};
  CHECK(test::elements(f("x"_t = x).get<"y">()) == std::vector<double>{1, 2, 1, 2});
}
