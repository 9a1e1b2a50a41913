// SPDX-License-Identifier: BSL-1.0
// Logarithms of running sums of powers: far below zero, and behind elements that are -infinity.
#include <tapeless/ops/reduction/logcumsumexp.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "laws/laws.hpp"

// In an ONNX file, too, whose first step must not be by e^100.
TAPELESS_LAW(sums_of_powers_below_zero, 4, 4, -1, 1, tl::logcumsumexp<0>(z - 100_c) + 100_c)

namespace {

struct sums_of_powers {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, tl::dyn<"n">>;
    auto y = tl::logcumsumexp<0>(x);
    auto first = tl::grad(tl::sum(y), x);
    return tl::outputs(tl::named<"y">(y), tl::named<"first">(first),
                       tl::named<"second">(tl::grad(tl::sum(first * first), x)));
  }
};

}  // namespace

TEST_CASE("what is -infinity adds nothing to sums of powers, and has no derivative") {
  test::on_each_policy([]<class Policy>() {
    constexpr float none = -std::numeric_limits<float>::infinity();
    tl::function<sums_of_powers, Policy> f{sums_of_powers{}};
    for (const float least : {1.0f, -1000.0f}) {  // e^1000 is no number
      const auto y = f("x"_t = std::vector<float>{none, none, least, least + 1}, "n"_t = 4);
      const auto sums = test::elements(y.template get<"y">()),
                 first = test::elements(y.template get<"first">()),
                 second = test::elements(y.template get<"second">());
      const double share = 1 / (1 + std::exp(1.0)), curve = 2 * share * (1 - share) * (2 * share);
      CHECK(sums[1] == none);
      CHECK(sums[2] == static_cast<double>(least));
      CHECK(sums[3] == test::Approx(least + std::log(1 + std::exp(1.0))));
      const double by_first[] = {0, 0, 1 + share, 1 - share}, by_second[] = {0, 0, curve, -curve};
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(first[i] == test::Approx(by_first[i]));
        CHECK(second[i] == test::Approx(by_second[i]));
      }
    }
  });
}
