// SPDX-License-Identifier: BSL-1.0
// Draws of zeros and ones: their frequency, their ends, and that no derivative flows through them.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>

namespace {

constexpr auto n = tl::dyn<"n">;

constexpr auto model = [] {
  auto p = tl::input<"p", double, 6>;
  auto many = tl::bernoulli<"b">(tl::input<"zero", double, n, 1> + p);
  auto b = tl::bernoulli<"c">(p);
  return tl::outputs(tl::named<"many">(many), tl::named<"float">(tl::bernoulli<"f">(tl::cast<float>(p))),
                     tl::named<"by p">(tl::grad(tl::sum(tl::square(p) * b), p)), tl::named<"b">(b));
};

}  // namespace

TEST_CASE("bernoulli draws ones as often as it should, and none without probability") {
  const std::vector<double> p{0, 1, 0.25, 0.75, std::numeric_limits<double>::quiet_NaN(), 1e-3},
      zero(40000, 0.0);
  test::on_each_policy([&]<class Policy>() {
    tl::function<std::remove_const_t<decltype(model)>, Policy> f{model};
    auto r = f("p"_t = p, "zero"_t = zero);
    std::vector<double> ones(6);
    const auto many = test::elements(r.template get<"many">());
    for (std::size_t i = 0; i < many.size(); ++i) {
      REQUIRE((many[i] == 0 || many[i] == 1));
      ones[i % 6] += many[i];
    }
    for (double& frequency : ones) frequency /= static_cast<double>(zero.size());
    CHECK(ones[0] == 0);
    CHECK(ones[1] == 1);
    CHECK(ones[4] == 0);
    for (const std::size_t i : {2u, 3u, 5u})
      CHECK(std::abs(ones[i] - p[i]) < 3.5 * std::sqrt(p[i] * (1 - p[i]) / static_cast<double>(zero.size())));
    CHECK(r.template get<"float">()[0] == 0);
    CHECK(r.template get<"float">()[1] == 1);
    const auto b = test::elements(r.template get<"b">()), by_p = test::elements(r.template get<"by p">());
    for (const std::size_t i : {0u, 1u, 2u, 3u, 5u}) CHECK(by_p[i] == test::Approx(2 * p[i] * b[i]));
  });
}
