// SPDX-License-Identifier: BSL-1.0
// Draws of whole numbers: their ends, how often each is drawn, and bounds that a run knows.
#include <tapeless/ops/random/randint.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

constexpr auto n = tl::dyn<"n">;

struct draws {
  constexpr auto operator()() const {
    auto low = tl::input<"low", std::int64_t>;
    auto high = tl::input<"high", std::int32_t, 3>;
    auto x = tl::input<"x", float, n, 2>;
    return tl::outputs(tl::named<"die">(tl::randint<"die", std::int32_t, n, 2>(1_c, 7_c)),
                       tl::named<"bytes">(tl::randint<"bytes", std::uint8_t, n>(0_c, 256_c)),
                       tl::named<"wide">(tl::randint<"wide", std::int64_t, n>(low, 0_c)),
                       tl::named<"each">(tl::randint<"each", std::int16_t, n, 3>(-2_c, high)),
                       tl::named<"row">(tl::randint<"row", std::int32_t, n>(0_c, tl::size<0>(x))),
                       tl::named<"scalar">(tl::randint<"scalar", std::int8_t>(-128_c, 128_c)));
  }
};

// Whether each of `bounds` numbers from low on is drawn as often as the others.
void check_even(const std::vector<double>& all, double low, std::size_t bounds, std::size_t begin = 0,
                std::size_t step = 1) {
  std::vector<double> count(bounds);
  double drawn = 0;
  for (std::size_t i = begin; i < all.size(); i += step, ++drawn) {
    REQUIRE(all[i] >= low);
    ++count.at(static_cast<std::size_t>(all[i] - low));
  }
  const double p = 1 / static_cast<double>(bounds);
  double chi_squared = 0;
  for (const double c : count) chi_squared += (c - drawn * p) * (c - drawn * p) / (drawn * p);
  const double freedom = static_cast<double>(bounds) - 1;
  CHECK(std::abs(chi_squared - freedom) <= 3.5 * std::sqrt(2 * freedom));
}

}  // namespace

TEST_CASE("randint draws each number as often as the others, the same on every policy") {
  const std::vector<float> x(2 * 30000);
  const std::vector<std::int32_t> high{-1, 0, 40};
  const std::int64_t low = -(std::int64_t{1} << 53);
  const auto run = [&](auto& f) { return f("x"_t = x, "low"_t = low, "high"_t = high); };
  tl::function alone{draws{}, tl::cpu{.threads = 1}, 3};
  auto expected = run(alone);
  const auto compare = [&](const auto& r) {
    CHECK(test::elements(r.template get<"die">()) == test::elements(expected.get<"die">()));
    CHECK(test::elements(r.template get<"bytes">()) == test::elements(expected.get<"bytes">()));
    CHECK(test::elements(r.template get<"wide">()) == test::elements(expected.get<"wide">()));
    CHECK(test::elements(r.template get<"each">()) == test::elements(expected.get<"each">()));
    CHECK(test::elements(r.template get<"row">()) == test::elements(expected.get<"row">()));
    CHECK(test::elements(r.template get<"scalar">()) == test::elements(expected.get<"scalar">()));
  };
  tl::function three{draws{}, tl::cpu{.threads = 3}, 3};
  compare(run(three));
  test::on_each_policy([&]<class Policy>() {
    tl::function<draws, Policy> f{draws{}, Policy{}, 3};
    compare(run(f));
  });

  check_even(test::elements(expected.get<"die">()), 1, 6);
  check_even(test::elements(expected.get<"bytes">()), 0, 256);
  const auto each = test::elements(expected.get<"each">());
  for (std::size_t i = 0; i < each.size(); i += 3) REQUIRE(each[i] == -2);
  check_even(each, -2, 2, 1, 3);
  check_even(each, -2, 42, 2, 3);
  double mean = 0;
  for (const std::int64_t i : expected.get<"wide">()) {
    REQUIRE((i >= low && i < 0));
    mean += static_cast<double>(i) / 30000;
  }
  CHECK(std::abs(mean / static_cast<double>(low) - 0.5) < 3.5 * std::sqrt(1 / 12.0 / 30000));
  for (const std::int32_t i : expected.get<"row">()) REQUIRE((i >= 0 && i < 30000));
}

TEST_CASE("randint draws between bounds that double does not tell apart") {
  tl::function f{[] {
    auto low = tl::input<"low", std::int64_t>;
    return tl::named<"y">(tl::randint<"i", std::int64_t, 3000>(low, tl::input<"high", std::int64_t>));
  }};
  const std::int64_t low = (std::int64_t{1} << 60) + 1;
  const auto r = f("low"_t = low, "high"_t = low + 3);
  std::vector<double> above;
  for (const std::int64_t i : r.get<"y">()) above.push_back(static_cast<double>(i - low));
  check_even(above, 0, 3);
}

TEST_CASE("bounds of a run in the wrong order give numbers between them") {
  tl::function f{[] {
    auto low = tl::input<"low", std::int64_t>;
    return tl::named<"y">(tl::randint<"i", std::int64_t, 3000>(low, tl::input<"high", std::int64_t>));
  }};
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return test::elements(f("low"_t = low, "high"_t = high).get<"y">());
  };
  CHECK(draw(7, 7) == std::vector<double>(3000, 7));
  check_even(draw(7, 4), 4, 3);
}
