// SPDX-License-Identifier: BSL-1.0
// The points that a trainer by L-BFGS tries in one step, and what it does where none is good.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "parameters.hpp"
#include "program.hpp"

namespace {

using test::bytes_of_parameters;

constexpr auto valley = [] {
  auto x = tl::param<"x", double, 2>(tl::fill(1));
  auto a = tl::slice<0, 0, 1>(x);
  auto b = tl::slice<0, 1, 2>(x);
  return tl::sum(100_c * tl::square(b - tl::square(a)) + tl::square(1_c - a));
};

constexpr auto masked_valley = [] {
  return valley() + tl::sum(tl::exp(tl::stop_gradient(tl::param<"mask", double, 3>(tl::fill(0)))));
};

// The rows that are added up are constants of the model, and integers.
constexpr auto chosen = [] {
  auto w = tl::param<"w", float, 4>(tl::fill(-1));
  auto rows = tl::stop_gradient(tl::param<"rows", std::int32_t, 2>(tl::fill(1)));
  return tl::sum(tl::square(tl::index_select<0>(w, rows))) + tl::sum(tl::square(w - 1_c));
};

}  // namespace

TEST_CASE("a loss that is not finite") {
  // Falls ever faster to w = 2, where it ends.
  constexpr auto edge = [] { return tl::sqrt(4_c - tl::square(tl::param<"w", double>(tl::fill(0.5)))); };
  tl::trainer net{edge, tl::lbfgs({.learning_rate = 0.5, .evaluations = 3})};
  auto w = net.parameter<"w">();
  const auto r = net.step();
  CHECK(r.search().outcome == tl::search_outcome::decreased);  // the second of three points
  CHECK(r.search().evaluations == 5);
  CHECK(r.search().step_length == 5);
  CHECK(w[0] == test::Approx(0.5 + 5 * 0.5 / std::sqrt(3.75)));
  CHECK(r.search().loss == std::sqrt(4 - w[0] * w[0]));
  CHECK(r.search().gradient_norm == test::Approx(w[0] / r.search().loss));

  w[0] = 3;
  const auto beyond = net.step();
  CHECK(std::isnan(beyond.loss()));
  CHECK(beyond.search().outcome == tl::search_outcome::failed);
  CHECK(beyond.search().evaluations == 1);
  CHECK(w[0] == 3);

  // A wall in the first trial's way: the bottom is at 0.5 before it.
  constexpr auto walled = [] {
    auto x = tl::param<"w", double>(tl::fill(-1000));
    return tl::square(x) - tl::log(-x) * 0.5_c;
  };
  tl::trainer other{walled, tl::lbfgs({.learning_rate = 1e6})};
  for (int i = 0; i < 20; ++i) {
    const auto each = other.step();
    CHECK(each.search().loss <= each.loss());
  }
  CHECK(other.parameter<"w">()[0] == test::Approx(-0.5).epsilon(1e-7));
}

TEST_CASE("where no point is lower, nothing is changed and the history starts anew") {
  // With b, a derivative of the wrong sign.
  constexpr auto model = [] {
    auto w = tl::param<"w", float, 2>(tl::fill(0.7));
    auto scaled = w * tl::input<"scale", float, 2>;
    return tl::sum(tl::square(scaled)) + tl::input<"b", float> * tl::sum(w - 2_c * tl::stop_gradient(w));
  };
  tl::trainer net{model, tl::lbfgs({.evaluations = 8})};
  const std::vector<float> scale{1, 3}, none{0, 0};
  const auto stored = [&] { return *reinterpret_cast<const std::int64_t*>(net.state_data()[3]); };
  for (int i = 0; i < 3; ++i) net.step("scale"_t = scale, "b"_t = 0.0f);
  CHECK(stored() == 3);
  const std::string before = bytes_of_parameters(net);
  const auto r = net.step("scale"_t = none, "b"_t = 1.0f);
  CHECK(r.search().outcome == tl::search_outcome::failed);
  CHECK(r.search().evaluations == 9);
  CHECK(r.search().step_length == 0);
  CHECK(r.search().loss == r.loss());
  CHECK(r.search().gradient_norm == test::Approx(std::sqrt(2)));
  CHECK(bytes_of_parameters(net) == before);
  CHECK(stored() == 0);
  CHECK(net.steps() == 4);
  CHECK(net.step("scale"_t = scale, "b"_t = 0.0f).search().outcome == tl::search_outcome::accepted);

  // Pairs that only a damaged file can hold.
  CHECK(stored() == 1);
  *reinterpret_cast<double*>(net.state_data()[2]) = -1e-3;
  const auto again = net.step("scale"_t = scale, "b"_t = 0.0f);
  CHECK(again.search().restarted);
  CHECK(again.search().outcome == tl::search_outcome::accepted);
  CHECK(stored() == 1);
}

TEST_CASE("at a minimum there is nothing to do") {
  tl::trainer net{valley, tl::lbfgs()};
  const auto r = net.step();
  CHECK(r.search().outcome == tl::search_outcome::accepted);
  CHECK(r.search().evaluations == 1);
  CHECK(r.search().step_length == 0);
  CHECK(net.parameter<"x">()[0] == 1);
}

TEST_CASE("a pair that does not curve upwards is left out") {
  constexpr auto hill = [] {
    auto w = tl::param<"w", double>(tl::fill(0.1));
    return tl::cos(w);
  };
  tl::trainer net{hill, tl::lbfgs({.evaluations = 1})};
  CHECK(net.step().search().outcome == tl::search_outcome::decreased);
  CHECK(net.parameter<"w">()[0] == test::Approx(0.1 + std::sin(0.1)));
  CHECK(*reinterpret_cast<const std::int64_t*>(net.state_data()[3]) == 0);
}

TEST_CASE("the learning rate is the first length that is tried") {
  tl::trainer net{valley, tl::lbfgs({.learning_rate = 1e-4, .evaluations = 1})};
  auto x = net.parameter<"x">();
  x[0] = -1.2, x[1] = 1;
  const auto first = net.step();
  CHECK(first.search().step_length == test::Approx(1e-4 / std::hypot(215.6, 88)));  // without history
  CHECK(std::hypot(x[0] + 1.2, x[1] - 1) == test::Approx(1e-4));
  net.set<"learning_rate">([](std::int64_t step) { return step == 1 ? 0.25 : 0.125; });
  CHECK(net.step().search().step_length == 0.25);
  CHECK(net.step().search().step_length == 0.125);
  CHECK_THROWS_WITH(net.set<"learning_rate">(0),
                    "tapeless: the hyperparameter \"learning_rate\" is 0; it must be above 0, and finite");
  net.set<"learning_rate">([](std::int64_t) { return 0; });
  CHECK_THROWS_WITH(net.step(), test::contains("\"learning_rate\" is 0 in step 3 (counted from 0)"));
  CHECK(net.steps() == 3);
}

TEST_CASE("constants of a model behind stop_gradient have no part in a step") {
  tl::trainer masked{masked_valley, tl::lbfgs()};
  tl::trainer plain{valley, tl::lbfgs()};
  for (double& m : masked.parameter<"mask">()) m = -std::numeric_limits<double>::infinity();
  CHECK(masked.plan().optimizer == plain.plan().optimizer);
  for (int t = 0; t < 12; ++t) {
    const auto found = masked.step().search(), expected = plain.step().search();
    INFO("step " << t);
    CHECK(found.evaluations == expected.evaluations);
    CHECK(found.loss == expected.loss);
    CHECK(test::elements(masked.parameter<"x">()) == test::elements(plain.parameter<"x">()));
  }
  CHECK(masked.parameter<"mask">()[2] == -std::numeric_limits<double>::infinity());
}

TEST_CASE("constants of a model behind stop_gradient may be integers") {
  tl::trainer net{chosen, tl::lbfgs()};
  for (int t = 0; t < 20; ++t) net.step();
  CHECK(net.parameter<"w">()[0] == Approx(1).margin(1e-3));
  CHECK(net.parameter<"w">()[1] == Approx(1.0 / 3).margin(1e-3));
  CHECK(net.parameter<"rows">()[0] == 1);
}
