// SPDX-License-Identifier: BSL-1.0
#include <catch.hpp>
#include <cmath>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/check_gradients.hpp>
#include <trained_state.hpp>

namespace tl = tapeless;
using namespace tl::literals;
using test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;

/// With all that makes a check hard: random numbers, kinks, statistics that a step changes.
constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto h = tl::dropout<0.3>(tl::relu(tl::batch_norm<"norm">(tl::linear<"fc1", 40>(x))));
  auto logits = tl::linear<"fc2", 4>(h);
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

/// x^2, with half its derivative.
struct half_square : tl::custom_op {
  static constexpr auto forward(auto x) { return x * x; }
  static constexpr auto backward(auto g, auto x, auto /*y*/) { return g * x; }
};

/// The right weight is not behind the wrong derivative.
constexpr auto wrong = [] {
  auto x = tl::input<"x", float, 4, 3>;
  auto left = tl::apply<half_square>(tl::linear<"left", 2>(x));
  auto right = tl::square(tl::linear<"right", 2>(x));
  return tl::mean(left) + tl::mean(right);
};

std::vector<float> numbers(int count) {
  std::vector<float> x;
  for (int i = 0; i < count; ++i) x.push_back(std::sin(12.9898f * static_cast<float>(i)));
  return x;
}

}  // namespace

TEST_CASE("derivatives agree with differences, and the trainer stays as it is") {
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  const std::vector<float> x = numbers(24);
  const std::vector<std::int32_t> y{0, 1, 2, 3, 3, 2, 1, 0};
  for (int i = 0; i < 3; ++i) net.step("x"_t = x, "y"_t = y);
  const std::string before = test::state_of(net);
  const auto worst = tl::check_gradients(net, "x"_t = x, "y"_t = y);
  CHECK(test::state_of(net) == before);
  INFO(worst.table());
  CHECK(worst.error < 5e-3);
  CHECK(worst.error > 0);
  CHECK(std::isfinite(worst.loss));
  REQUIRE(worst.parameters.size() == 6);  // running statistics have no gradient
  for (const tl::checked_gradient& p : worst.parameters) {
    INFO(p.parameter);
    CHECK(p.error <= worst.error);
    CHECK(p.checked == (p.parameter == "fc2.bias" ? 4 : 20));
  }
  CHECK_THAT(worst.table(), contains("fc1.weight") && contains("norm.weight"));
  // as many elements as are asked for, and others for another seed
  const auto few = tl::check_gradients(net, {.elements = 2, .seed = 5}, "x"_t = x, "y"_t = y);
  CHECK(few.parameters[0].checked == 2);
  CHECK(few.loss == worst.loss);
  CHECK_THROWS_WITH(tl::check_gradients(net, {.elements = 0}, "x"_t = x, "y"_t = y),
                    contains("check_gradients: elements is 0; it must be 1 or more"));
  CHECK_THROWS_WITH(tl::check_gradients(net, "x"_t = numbers(4), "y"_t = y), contains("input \"x\""));
  // a trainer that was checked goes on as one that was not
  tl::trainer other{model, tl::adam({.learning_rate = 1e-2f})};
  for (int i = 0; i < 3; ++i) other.step("x"_t = x, "y"_t = y);
  const float loss = other.step("x"_t = x, "y"_t = y).loss();
  CHECK(net.step("x"_t = x, "y"_t = y).loss() == loss);
  CHECK(loss == test::Approx(few.loss).epsilon(1e-6));  // the loss that was checked is that of this step
}

TEST_CASE("a loss that is steeper than a step is long has no certain differences") {
  tl::trainer net{[] { return tl::sum(tl::sin(1e6_c * tl::param<"w", float, 40>(tl::uniform(1)))); },
                  tl::sgd({.learning_rate = 0.1f})};
  const auto worst = tl::check_gradients(net);
  INFO(worst.table());
  CHECK(worst.error > 0.1);  // the gradient is right all the same
  CHECK(worst.uncertainty > 0.001 * std::abs(worst.gradient - worst.difference));
  CHECK_THAT(worst.table(), contains("uncertainty"));
}

TEST_CASE("a wrong derivative is found, with the parameter before it") {
  tl::trainer net{wrong, tl::sgd({.learning_rate = 0.1f})};
  const auto worst = tl::check_gradients(net, "x"_t = numbers(12));
  INFO(worst.table());
  CHECK(worst.error == test::Approx(0.5).epsilon(0.05));
  CHECK(worst.uncertainty < 0.05 * std::abs(worst.gradient - worst.difference));
  CHECK_THAT(worst.parameter, contains("left."));
  CHECK(worst.gradient == test::Approx(worst.difference / 2).epsilon(0.05));
  for (const tl::checked_gradient& p : worst.parameters) {
    if (p.parameter == "right.weight" || p.parameter == "right.bias") CHECK(p.error < 1e-3);
  }
}

TEST_CASE("what is stored in 16 bits is checked as the model is written") {
  tl::trainer net{wrong, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.1f}))};
  const auto worst = tl::check_gradients(net, {.elements = 3}, "x"_t = numbers(12));
  CHECK(worst.error == test::Approx(0.5).epsilon(0.05));
}
