// SPDX-License-Identifier: BSL-1.0
// Steps on one number, followed by hand: rules, hyperparameters, schedules, gradients that are collected.
#include <tapeless/tapeless.hpp>

#include <boost/hana/adapt_struct.hpp>
#include <cstdint>
#include <limits>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::Approx;

namespace user {

struct pair {
  double x, y;
};

}  // namespace user

BOOST_HANA_ADAPT_STRUCT(user::pair, x, y);

namespace {

// Loss (w x - y)^2.
constexpr auto line = [] {
  auto w = tl::param<"w", double>(tl::fill(1));
  return tl::square(w * tl::input<"x", double> - tl::input<"y", double>);
};

}  // namespace

TEST_CASE("gradient descent by hand") {
  tl::trainer net{line, tl::sgd({.learning_rate = 0.1})};
  auto w = net.parameter<"w">();
  CHECK(w[0] == 1);
  CHECK(net.step("x"_t = 2.0, "y"_t = 3.0).loss() == 1);
  CHECK(w[0] == Approx(1 + 0.1 * 4));  // d/dw (2w - 3)^2 = 4 (2w - 3)
}

TEST_CASE("momentum by hand") {
  tl::trainer net{line, tl::sgd({.learning_rate = 0.1, .momentum = 0.5})};
  double w = 1, velocity = 0;
  for (int i = 0; i < 5; ++i) {
    const double x = 1 + 0.1 * i;
    net.step("x"_t = x, "y"_t = 3.0);
    velocity = 0.5 * velocity + 2 * x * (w * x - 3);
    w -= 0.1 * velocity;
    CHECK(net.parameter<"w">()[0] == Approx(w).epsilon(1e-12));
  }
}

TEST_CASE("hyperparameters change between steps") {
  tl::trainer net{line, tl::sgd({.learning_rate = 0.1})};
  auto w = net.parameter<"w">();
  const auto move = [&] {
    w[0] = 1;
    net.step("x"_t = 2.0, "y"_t = 3.0);
    return (w[0] - 1) / 4;
  };
  CHECK(move() == Approx(0.1));
  net.set<"learning_rate">(0.25);
  CHECK(move() == Approx(0.25));
  net.set<"learning_rate">(0);
  CHECK(move() == 0);
  net.set<"weight_decay">(0.5);
  net.set<"learning_rate">(1);
  CHECK(move() == Approx(1 - 0.125));
}

TEST_CASE("a schedule is asked for each step, from 0 on") {
  std::vector<std::int64_t> asked;
  tl::trainer net{line, tl::sgd({.learning_rate = [&](std::int64_t step) {
                    asked.push_back(step);
                    return 0.1 / static_cast<double>(1 + step);
                  }})};
  auto w = net.parameter<"w">();
  for (int step = 0; step < 4; ++step) {
    w[0] = 1;
    net.step("x"_t = 2.0, "y"_t = 3.0);
    CHECK(w[0] == Approx(1 + 4 * 0.1 / (1 + step)));
  }
  CHECK(asked == std::vector<std::int64_t>{0, 1, 2, 3});
  net.set<"learning_rate">([](std::int64_t step) { return step == 4 ? 0.5f : 0.0f; });
  w[0] = 1;
  net.step("x"_t = 2.0, "y"_t = 3.0);
  CHECK(w[0] == Approx(3));
}

TEST_CASE("steps and accumulated steps can be mixed") {
  tl::trainer net{line, tl::sgd({.learning_rate = 0.1, .momentum = 0.5})};
  tl::trainer other{line, tl::sgd({.learning_rate = 0.1, .momentum = 0.5})};
  for (int i = 0; i < 6; ++i) {
    const auto r = net.step("x"_t = 1.0 + i, "y"_t = 3.0);
    const double loss = r.loss();
    if (i % 2 == 0) {
      other.step("x"_t = 1.0 + i, "y"_t = 3.0);
    } else {
      other.accumulate(1, "x"_t = 1.0 + i, "y"_t = 3.0);
      other.apply();
    }
    net.evaluate("x"_t = 0.0, "y"_t = 0.0);
    CHECK(r.loss() == loss);  // valid until the next step
    CHECK(net.parameter<"w">()[0] == Approx(other.parameter<"w">()[0]).epsilon(1e-12));
  }
  const auto r = net.step("x"_t = 1.0, "y"_t = 3.0);
  const double loss = r.loss();
  net.accumulate(1, "x"_t = 2.0, "y"_t = 3.0);
  CHECK(r.loss() == loss);
}

TEST_CASE("a weight that is not finite is an error, and nothing waits then") {
  tl::trainer net{line, tl::sgd({.learning_rate = 0.1})};
  CHECK_THROWS_WITH(net.accumulate(std::numeric_limits<double>::infinity(), "x"_t = 1.0, "y"_t = 3.0),
                    "tapeless: accumulate: the weight is inf; it must be finite");
  CHECK(net.collected_gradients().empty());
}

TEST_CASE("a struct with scalar members") {
  tl::trainer net{line, tl::sgd({.learning_rate = 0.1})};
  const user::pair p{2, 3};
  CHECK(net.step(p).loss() == 1);
  CHECK(net.parameter<"w">()[0] == Approx(1.4));
  CHECK(net.evaluate(user::pair{0, 3}).loss() == 9);
  user::pair q{1, 1.4};
  CHECK(net.evaluate(q).loss() == Approx(0).margin(1e-20));
}
