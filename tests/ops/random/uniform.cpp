// SPDX-License-Identifier: BSL-1.0
// Draws of uniform numbers, in every floating type.
#include "catch.hpp"
#include "ops/random/draws.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace {

constexpr auto n = tl::dyn<"n">;

constexpr auto model = [] {
  auto low = tl::input<"low", double, n, 1>;
  return tl::outputs(tl::named<"float">(tl::uniform<"f", float, n, 8>()),
                     tl::named<"double">(tl::uniform<"d", double, n, 8>()),
                     tl::named<"half">(tl::cast<float>(tl::uniform<"h", tl::f16, n, 8>())),
                     tl::named<"bfloat16">(tl::cast<float>(tl::uniform<"b", tl::bf16, n, 8>())),
                     tl::named<"like">(tl::uniform_like<"l">(low)),
                     tl::named<"between">(tl::uniform<"between">(low, 3_c)));
};

double clamped(double x) { return std::min(std::max(x, 0.0), 1.0); }

}  // namespace

TEST_CASE("uniform numbers are below 1, and distributed as they should be") {
  const std::vector<double> low(20000, -1);
  test::on_each_policy([&]<class Policy>() {
    tl::function<std::remove_const_t<decltype(model)>, Policy> f{model};
    auto r = f("low"_t = low);
    const auto check = [](const std::vector<double>& all, double step) {
      CHECK(*std::min_element(all.begin(), all.end()) >= 0);
      CHECK(*std::max_element(all.begin(), all.end()) < 1);
      CHECK(std::abs(test::moment(all, 1) - 0.5 + step / 2) <
            3 * std::sqrt(1 / 12.0 / static_cast<double>(all.size())));
      for (const double x : all) REQUIRE(x / step == std::floor(x / step));
    };
    check(test::elements(r.template get<"float">()), 0x1p-24);
    check(test::elements(r.template get<"double">()), 0x1p-53);
    check(test::elements(r.template get<"half">()), 0x1p-11);
    check(test::elements(r.template get<"bfloat16">()), 0x1p-8);
    CHECK(test::distance_from(test::elements(r.template get<"float">()), clamped) < 1.63);
    CHECK(test::distance_from(test::elements(r.template get<"double">()), clamped) < 1.63);
    CHECK(test::distance_from(test::elements(r.template get<"like">()), clamped) < 1.63);
    CHECK(test::distance_from(test::elements(r.template get<"between">()),
                              [](double x) { return clamped((x + 1) / 4); }) < 1.63);
    CHECK(std::abs(test::correlation(test::elements(r.template get<"float">()),
                                     test::elements(r.template get<"double">()))) < 4);
  });
}
