// SPDX-License-Identifier: BSL-1.0
// Samples that are dropped as a whole: how many, their gradients, and that none is in evaluation.
#include <tapeless/ops/activation/drop_path.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <algorithm>
#include <cmath>

#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr auto n = tl::dyn<"n">;

struct dropping {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, 3, 2>;
    auto w = tl::param<"w", double>(tl::fill(1));
    auto y = x + tl::drop_path<0.25>(w * x);
    auto vector = tl::drop_path<0.25>(tl::sum<1, 2>(x));
    return tl::outputs(tl::sum(y), tl::named<"y">(y), tl::named<"by x">(tl::grad(tl::sum(y), x)),
                       tl::named<"again">(x + tl::drop_path<0.25>(w * x)), tl::named<"vector">(vector),
                       tl::named<"second">(x + tl::drop_path<"second", 0.25>(w * x)),
                       tl::named<"third">(x + tl::drop_path<"third", 0.25>(w * x)),
                       tl::named<"all">(tl::drop_path<1.0>(x)), tl::named<"none">(tl::drop_path<0.0>(x)));
  }
};

// Whether a quarter of the samples are 1, the others 1 + 1 / 0.75.
void check_dropped(const std::vector<double>& y) {
  double dropped = 0;
  for (std::size_t i = 0; i < y.size(); i += 6) {
    REQUIRE((y[i] == 1 || y[i] == test::Approx(1 + 1 / 0.75)));
    for (std::size_t k = 1; k < 6; ++k) REQUIRE(y[i + k] == y[i]);
    dropped += y[i] == 1;
  }
  CHECK(std::abs(dropped - 500) < 3.5 * std::sqrt(2000 * 0.25 * 0.75));
}

}  // namespace

TEST_CASE("drop_path drops whole samples in training and none in evaluation") {
  const std::vector<double> ones(6 * 2000, 1), twos(6 * 2000, 2);
  tl::trainer alone{dropping{}, tl::sgd({.learning_rate = 0.f}), tl::cpu{.threads = 1}, 3};
  const auto expected = test::elements(alone.step("x"_t = ones).get<"y">());
  test::on_each_policy([&]<class Policy>() {
    tl::trainer net{dropping{}, tl::sgd({.learning_rate = 0.f}), Policy{}, 3};
    const auto r = net.step("x"_t = ones);
    const auto y = test::elements(r.template get<"y">()), second = test::elements(r.template get<"second">());
    check_dropped(y);
    check_dropped(second);
    CHECK(second != y);
    CHECK(test::elements(r.template get<"third">()) != second);
    CHECK(test::elements(r.template get<"by x">()) == y);
    CHECK(test::elements(r.template get<"again">()) == y);
    const auto vector = test::elements(r.template get<"vector">());
    const auto zeros = static_cast<double>(std::count(vector.begin(), vector.end(), 0.0));
    CHECK(std::abs(zeros - 500) < 3.5 * std::sqrt(2000 * 0.25 * 0.75));
    CHECK(test::elements(r.template get<"all">()) == std::vector<double>(ones.size(), 0));
    CHECK(test::elements(r.template get<"none">()) == ones);
    CHECK(y == expected);
    const auto next = net.step("x"_t = ones);
    CHECK(test::elements(next.template get<"y">()) != y);
    CHECK(test::elements(next.template get<"second">()) != second);
    const auto predicted = net.predict("x"_t = ones);
    CHECK(test::elements(predicted.template get<"y">()) == twos);
    CHECK(test::elements(predicted.template get<"second">()) == twos);
    CHECK(test::elements(net.evaluate("x"_t = ones).template get<"all">()) == ones);
  });
}
