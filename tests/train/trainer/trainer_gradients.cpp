// SPDX-License-Identifier: BSL-1.0
// Gradients that wait for their update: a step is the two in one.
#include <tapeless/train/trainer/trainer_gradients.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "trained_state.hpp"

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"n">, 3>;
  return tl::mean(tl::square(tl::linear<"out", 2>(tl::tanh(tl::linear<"in", 4>(x)))));
};

}  // namespace

TEST_CASE("gradients and apply are a step in two parts") {
  tl::trainer whole{model, tl::adamw({.learning_rate = 1e-2f})};
  tl::trainer parts{model, tl::adamw({.learning_rate = 1e-2f})};
  test::numbers random;
  for (int t = 0; t < 5; ++t) {
    const auto x = random.vector<float>(12);
    const float loss = whole.step("x"_t = x).loss();
    CHECK(parts.gradients("x"_t = random.vector<float>(12)).loss() != loss);  // forgotten
    CHECK(parts.gradients("x"_t = x).loss() == loss);
    parts.apply();
  }
  CHECK(parts.steps() == 5);
  CHECK(test::elements(whole.parameter<"in.weight">()) == test::elements(parts.parameter<"in.weight">()));
  CHECK(test::elements(whole.parameter<"out.bias">()) == test::elements(parts.parameter<"out.bias">()));
}

TEST_CASE("apply without gradients is an error, and changes nothing") {
  const auto sentence = test::contains(
      "apply: no gradients wait for it: call gradients(...) or accumulate(weight, ...) first, or write your "
      "own "
      "into gradient<\"NAME\">()");
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  test::numbers random;
  const auto x = random.vector<float>(12);
  CHECK_THROWS_WITH(net.apply(), sentence);
  net.step("x"_t = x);
  net.gradients("x"_t = x);
  net.apply();
  CHECK_THROWS_WITH(net.apply(), sentence);  // once too often
  net.accumulate(1, "x"_t = x);
  net.discard_gradients();
  const auto before = test::state_of(net);
  CHECK_THROWS_WITH(net.apply(), sentence);
  CHECK(net.steps() == 2);
  CHECK(test::state_of(net) == before);
  net.gradient<"out.bias">()[0] = 1;
  net.apply();
  CHECK(net.steps() == 3);
}

TEST_CASE("a loop goes through all gradients, in the order of the parameters") {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.5f})};
  test::numbers random;
  const auto x = random.vector<float>(12);
  net.gradients("x"_t = x);
  const auto parameters = net.parameters();
  const auto gradients = net.all_gradients();
  STATIC_REQUIRE(gradients.size() == parameters.size());
  std::vector<float> expected;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    CHECK(gradients[i].name() == parameters[i].name());
    CHECK(gradients[i].size() == parameters[i].size());
    if (gradients[i].name() == "out.weight")
      CHECK(gradients[i].data() == net.gradient<"out.weight">().data());
    for (std::size_t k = 0; k < parameters[i].size(); ++k)
      expected.push_back(parameters[i][k] - 0.5f * gradients[i][k] / 4);
  }
  for (auto& gradient : gradients)
    for (float& g : gradient) g /= 4;
  net.apply();
  std::size_t n = 0;
  for (auto& parameter : net.parameters())
    for (float p : parameter) CHECK(p == Approx(expected[n++]));

  tl::trainer half{model, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.5f}))};
  half.gradients("x"_t = x);
  for (auto& gradient : half.all_gradients()) STATIC_REQUIRE(std::is_same_v<decltype(gradient[0]), float&>);
}

TEST_CASE("gradients can be read, changed and taken elsewhere in between") {
  tl::trainer here{model, tl::sgd({.learning_rate = 0.5f})}, there{model, tl::sgd({.learning_rate = 0.5f})};
  test::numbers random;
  const auto x = random.vector<float>(12);
  here.gradients("x"_t = x);
  const auto from = here.gradient<"out.weight">();
  const auto to = there.gradient<"out.weight">();
  std::copy(from.begin(), from.end(), to.begin());
  to[0] = 0;
  const auto before = test::elements(there.parameter<"out.weight">());
  const auto untouched = test::elements(there.parameter<"in.weight">());
  there.apply();
  CHECK(there.parameter<"out.weight">()[0] == before[0]);
  for (std::size_t i = 1; i < before.size(); ++i)
    CHECK(there.parameter<"out.weight">()[i] == Approx(before[i] - 0.5 * from[i]));
  CHECK(test::elements(there.parameter<"in.weight">()) == untouched);
}
