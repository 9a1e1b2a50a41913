// SPDX-License-Identifier: BSL-1.0
// Rules for some parameters only: by name, by shape, by both; the first that fits.
#include "optim/reference.hpp"

namespace {

constexpr auto model = [] {
  auto all = [](auto p) { return tl::sum(p); };
  return all(tl::param<"fc1.weight", double, 2, 3>(tl::fill(1))) +
         all(tl::param<"fc1.bias", double, 2>(tl::fill(1))) +
         all(tl::param<"fc2.weight", double, 3, 2>(tl::fill(1))) +
         all(tl::param<"norm.weight", double, 4>(tl::fill(1)));
};

template <class Rule>
void changes(Rule rule, std::array<double, 4> want) {
  tl::trainer net{model, std::move(rule)};
  net.step();
  CHECK(net.template parameter<"fc1.weight">()[1] - 1 == test::Approx(want[0]));
  CHECK(net.template parameter<"fc1.bias">()[1] - 1 == test::Approx(want[1]));
  CHECK(net.template parameter<"fc2.weight">()[1] - 1 == test::Approx(want[2]));
  CHECK(net.template parameter<"norm.weight">()[1] - 1 == test::Approx(want[3]));
}

template <int I>
struct in_group {
  static constexpr tl::name group = tl::name{"group"} + I;
  constexpr bool operator()(std::string_view label, std::span<const std::int64_t>) const {
    return label.starts_with(group.view());
  }
};

constexpr bool fits(std::string_view pattern, std::string_view text) {
  return tl::detail::fits(pattern, text);
}

}  // namespace

TEST_CASE("patterns of names") {
  STATIC_REQUIRE(fits("*.weight", "fc1.weight"));
  STATIC_REQUIRE(fits("fc?.*", "fc1.weight"));
  STATIC_REQUIRE(fits("*", ""));
  STATIC_REQUIRE(fits("*a*b", "xaxbxb"));
  STATIC_REQUIRE(fits("fc1.weight", "fc1.weight"));
  STATIC_REQUIRE(!fits("fc1", "fc1.weight"));
  STATIC_REQUIRE(!fits("*.weight", "fc1.weights"));
  STATIC_REQUIRE(!fits("fc?.bias", "fc.bias"));
  STATIC_REQUIRE(!fits("", "a"));
  STATIC_REQUIRE(fits("", ""));
}

TEST_CASE("weight decay for matrices only, and by name") {
  changes(tl::chain(tl::masked(tl::add_decayed_weights(0.5), tl::matrices), tl::scale(-1)),
          {-1.5, -1, -1.5, -1});
  changes(
      tl::chain(tl::masked(tl::add_decayed_weights(0.5), tl::names_like<"fc1*", "*2.weight">), tl::scale(-1)),
      {-1.5, -1.5, -1.5, -1});
}

TEST_CASE("a lambda chooses by name and shape") {
  constexpr auto wide = [](std::string_view name, std::span<const std::int64_t> shape) {
    return name.ends_with("weight") && shape.back() >= 3;
  };
  changes(tl::masked(tl::chain(tl::scale(2), tl::scale(-2)), wide), {-4, 1, 1, -4});
}

TEST_CASE("a transformation of all gradients sees those it is for") {
  // two vectors of ones, of lengths sqrt(2) and 2
  constexpr auto vectors = [](std::string_view, std::span<const std::int64_t> shape) {
    return shape.size() == 1;
  };
  const double f = 1 / (std::sqrt(6.0) + 1e-6);
  changes(tl::chain(tl::masked(tl::clip_by_global_norm(1), vectors), tl::scale(1)), {1, f, 1, f});
}

TEST_CASE("a partition: the first rule that fits, the last for the rest") {
  changes(tl::partition(tl::for_parameters(tl::names_like<"fc1.*">, tl::sgd({.learning_rate = 0.25})),
                        tl::for_parameters(tl::matrices, tl::sgd({.learning_rate = 0.5, .momentum = 0.9})),
                        tl::sgd({.learning_rate = 0.125})),
          {-0.25, -0.25, -0.5, -0.125});
  changes(
      tl::partition(tl::for_parameters(tl::names_like<"*">, tl::sgd({.learning_rate = 0.25})), tl::adam({})),
      {-0.25, -0.25, -0.25, -0.25});
}

TEST_CASE("without a rule for the rest, the rest stays") {
  changes(tl::partition(tl::for_parameters(tl::names_like<"fc1.*">, tl::sgd({.learning_rate = 0.25}))),
          {-0.25, -0.25, 0, 0});
  changes(tl::partition(tl::for_parameters(tl::names_like<"fc2.*">, tl::chain(tl::set_to_zero())),
                        tl::sgd({.learning_rate = 0.25})),
          {-0.25, -0.25, 0, -0.25});
}

TEST_CASE("muon for matrices, adam for the rest") {
  // of a matrix of ones the singular values are 1 and 0 once it is scaled: the steps act on one number
  double s = 1;
  for (int i = 0; i < 5; ++i) s = 3.4445 * s - 4.7750 * s * s * s + 2.0315 * s * s * s * s * s;
  const double step = 0.1 * s / std::sqrt(6.0);
  tl::trainer net{model, tl::partition(tl::for_parameters(tl::matrices, tl::muon({.learning_rate = 0.1})),
                                       tl::adam({.learning_rate = 0.1}))};
  net.step();
  CHECK(net.parameter<"fc1.weight">()[4] == test::Approx(1 - step).epsilon(1e-5));
  CHECK(net.parameter<"fc2.weight">()[4] == test::Approx(1 - step * std::sqrt(1.5)).epsilon(1e-5));
  CHECK(net.parameter<"fc1.bias">()[0] == test::Approx(0.9));
  // a state for each of two matrices, two for each of two vectors, each of which takes 64 bytes
  CHECK(decltype(net)::plan().optimizer == 6 * 64);
}

TEST_CASE("muon with the size of adam's steps, of a convolution's weight") {
  double s = 1;
  for (int i = 0; i < 5; ++i) s = 3.4445 * s - 4.7750 * s * s * s + 2.0315 * s * s * s * s * s;
  tl::trainer net{[] { return tl::sum(tl::param<"w", double, 2, 3, 2, 2>(tl::fill(1))); },
                  tl::muon({.learning_rate = 0.1, .nesterov = false, .match_adam = true})};
  net.step();
  const double step = 0.1 * s / std::sqrt(24.0) * 0.2 * std::sqrt(12.0);
  CHECK(net.parameter<"w">()[23] == test::Approx(1 - step).epsilon(1e-5));
}

TEST_CASE("one group's hyperparameters have its name before theirs") {
  tl::trainer net{
      model,
      tl::partition(tl::for_parameters<"first">(tl::names_like<"fc1.*">, tl::sgd({.learning_rate = 0.25})),
                    tl::for_parameters(tl::names_like<"fc2.*">, tl::sgd({.learning_rate = 0.5})),
                    tl::sgd({.learning_rate = 0.125}))};
  const auto changes_by = [&](double first, double second, double rest) {
    const double before[] = {net.parameter<"fc1.weight">()[1], net.parameter<"fc2.weight">()[1],
                             net.parameter<"norm.weight">()[1]};
    net.step();
    CHECK(net.parameter<"fc1.weight">()[1] - before[0] == test::Approx(-first));
    CHECK(net.parameter<"fc2.weight">()[1] - before[1] == test::Approx(-second));
    CHECK(net.parameter<"norm.weight">()[1] - before[2] == test::Approx(-rest));
  };
  changes_by(0.25, 0.5, 0.125);
  CHECK(net.get<"first.learning_rate">() == 0.25);
  net.set<"first.learning_rate">(1);
  changes_by(1, 0.5, 0.125);
  net.set<"fc2.*.learning_rate">([](std::int64_t step) { return static_cast<double>(step); });
  CHECK(net.get<"fc2.*.learning_rate">() == 2);
  changes_by(1, 2, 0.125);
  CHECK(net.get<"fc2.*.learning_rate">() == 3);
  net.set<"rest.learning_rate">(2);
  changes_by(1, 3, 2);
  CHECK_THROWS_WITH(net.get<"learning_rate">(),
                    test::contains("there is not one number of that name: \"first.learning_rate\" is 1, "
                                   "\"fc2.*.learning_rate\" is 4, \"rest.learning_rate\" is 2"));
  CHECK_THROWS_WITH(net.set<"first.learning_rate">(-1),
                    test::contains("\"first.learning_rate\" is -1; it must be 0 or more"));
  net.set<"learning_rate">(0.5);
  changes_by(0.5, 0.5, 0.5);
  CHECK(net.get<"learning_rate">() == 0.5);
  net.set<"learning_rate">([](std::int64_t step) { return step > 0 ? 0.25 : 1; });
  changes_by(0.25, 0.25, 0.25);
}

TEST_CASE("groups without a name, and groups within groups") {
  constexpr auto everything = [](std::string_view, std::span<const std::int64_t>) { return true; };
  const auto inner = tl::partition(tl::for_parameters(tl::matrices, tl::sgd({.learning_rate = 0.25})),
                                   tl::sgd({.learning_rate = 0.5}));
  const auto rule = tl::partition(tl::for_parameters<"outer">(tl::names_like<"fc?.*">, inner),
                                  tl::for_parameters(everything, tl::sgd({.learning_rate = 0.125})));
  tl::trainer net{model, rule};
  net.set<"outer.rest.learning_rate">(1);
  net.set<"matrices.learning_rate">(2);
  net.step();
  CHECK(net.parameter<"fc1.weight">()[1] == -1);
  CHECK(net.parameter<"fc1.bias">()[1] == 0);
  CHECK(net.parameter<"norm.weight">()[1] == 0.875);
}

TEST_CASE("a full name means one group, though another one's name ends with it") {
  const auto inner = tl::partition(tl::for_parameters(tl::names_like<"fc1.*">, tl::sgd({.learning_rate = 0})),
                                   tl::sgd({.learning_rate = 0.25}));
  tl::trainer net{model, tl::partition(tl::for_parameters(tl::names_like<"fc?.*">, inner),
                                       tl::sgd({.learning_rate = 0.5}))};
  CHECK(net.get<"rest.learning_rate">() == 0.5);
  net.set<"rest.learning_rate">(1);
  CHECK(net.get<"fc?.*.rest.learning_rate">() == 0.25);
  net.set<"rest.learning_rate">([](std::int64_t step) { return 2.0 + static_cast<double>(step); });
  CHECK(net.get<"fc?.*.rest.learning_rate">() == 0.25);
  CHECK(net.get<"rest.learning_rate">() == 2);
  CHECK_THROWS_WITH(net.set<"rest.learning_rate">(-1), test::contains("\"rest.learning_rate\" is -1"));
  net.set<"learning_rate">(3);
  CHECK(net.get<"learning_rate">() == 3);
}

TEST_CASE("a partition of more groups than clang takes operands of a fold expression") {
  constexpr std::size_t groups = 100;
  const auto rule = []<std::size_t... I>(std::index_sequence<I...>) {
    return tl::partition(tl::for_parameters(in_group<static_cast<int>(I)>{},
                                            tl::chain(tl::scale(-1), tl::scale(1), tl::scale(I)))...,
                         tl::sgd({.learning_rate = 0.5}));
  }(std::make_index_sequence<groups>());
  constexpr std::size_t count = static_cast<std::size_t>(rule.hyper_count);
  STATIC_REQUIRE(count > 3 * groups);
  STATIC_REQUIRE(rule.hyper_ranges().size() == count);
  constexpr auto names = rule.hyper_names();
  std::array<double, count> values{};
  rule.write(0, values);
  for (std::size_t i = 0; i < groups; ++i) {
    CHECK(names[3 * i].view() == "scale.group" + std::to_string(i) + ".factor");
    CHECK(names[3 * i + 1].view() == "scale_2.group" + std::to_string(i) + ".factor");
    CHECK(values[3 * i] == -1);
    CHECK(values[3 * i + 2] == static_cast<double>(i));
  }
  CHECK(names[count - 1].view() == "rest.learning_rate");
  CHECK(values[count - 1] == 0.5);
}

TEST_CASE("partition: the loss need not depend on a parameter that no rule is for") {
  constexpr auto slopes = [] {
    auto x = tl::input<"x", float, 4, 3>;
    auto slope = tl::grad(tl::sum(tl::linear<"out", 1>(x)), x);  // without the bias
    return tl::outputs(tl::sum(tl::square(slope)), tl::named<"y">(tl::linear<"other", 2>(x)));
  };
  const auto weights = tl::for_parameters(tl::names_like<"out.weight">, tl::adam({.learning_rate = 0.1f}));
  tl::trainer net{slopes, tl::freezable(tl::partition(weights))};
  const auto before = test::elements(net.parameter<"other.weight">());
  const std::vector<float> x(12, 1);
  const float first = net.step("x"_t = x).loss();
  CHECK(net.step("x"_t = x).loss() < first);
  CHECK(test::elements(net.parameter<"other.weight">()) == before);
  CHECK(net.parameter<"out.bias">()[0] == 0);
}
