// SPDX-License-Identifier: BSL-1.0
// snapshot and restore: what follows is the same bit for bit, wherever it was taken and on whatever policy.
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "policies.hpp"
#include "trained_state.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto h = tl::dropout<0.25>(tl::tanh(tl::batch_norm<"norm">(tl::linear<"fc1", 5>(x))));
  return tl::outputs(tl::mean(tl::square(tl::linear<"fc2", 2>(h) - 1_c)));
};

const std::vector<float> x{0.5f, -1, 2, 0.25f, 1, -0.5f, 3, 0, 1, -2, 0.75f, 0.125f};

/// Some steps, and all that the trainer is then.
template <class Net>
std::string go_on(Net& net) {
  for (int k = 0; k < 3; ++k) net.step("x"_t = x);
  return test::state_of(net);
}

template <class Policy, class Rule>
void check_restored(Rule rule) {
  tl::trainer net{model, rule, Policy{}, 3};
  const auto at_start = tl::snapshot(net);
  const std::string first = go_on(net);
  const auto s = tl::snapshot(net);
  CHECK(s.steps() == net.steps());
  const std::string second = go_on(net);
  CHECK(first != second);
  tl::restore(net, s);
  CHECK(test::state_of(net) == first);
  CHECK(go_on(net) == second);
  tl::restore(net, s);
  CHECK(go_on(net) == second);
  tl::restore(net, at_start);
  CHECK(go_on(net) == first);

  tl::trainer other{model, rule, Policy{}, 8};
  go_on(other);
  tl::restore(other, s);
  CHECK(test::state_of(other) == first);
  CHECK(go_on(other) == second);
}

}  // namespace

TEST_CASE("training goes on from a snapshot bit for bit") {
  test::on_each_policy([]<class Policy>() {
    check_restored<Policy>(tl::adam({.learning_rate = 0.1f}));
    check_restored<Policy>(tl::lbfgs({.history = 4}));
  });
  check_restored<tl::cpu>(tl::mixed_precision<tl::f16>(tl::average(tl::sgd({.learning_rate = 0.1f}))));
  check_restored<tl::cpu>(tl::accumulate(2, tl::adam({.learning_rate = 0.1f})));  // 3 steps: one waits
}

TEST_CASE("gradients that wait are part of a snapshot, and those that do not are forgotten") {
  tl::trainer net{model, tl::adam({.learning_rate = 0.1f})};
  net.step("x"_t = x);
  const auto none = tl::snapshot(net);
  net.accumulate(0.5, "x"_t = x);
  const auto some = tl::snapshot(net);
  const std::string before = test::state_of(net);
  net.apply();
  const std::string applied = test::state_of(net);
  tl::restore(net, some);
  CHECK(test::state_of(net) == before);
  net.apply();
  CHECK(test::state_of(net) == applied);
  tl::restore(net, some);
  tl::restore(net, none);
  CHECK(net.position().collected == 0);
  net.accumulate(0.5, "x"_t = x);
  CHECK(test::state_of(net) == before);
}

TEST_CASE(
    "evaluations that draw random numbers go on from a snapshot, in the middle of an accumulation, too") {
  constexpr auto noisy = [] {
    auto y = tl::linear<"fc", 2>(tl::input<"x", float, batch, 3>);
    return tl::mean(tl::square(y + tl::uniform_like<"noise">(y)));
  };
  tl::trainer net{noisy, tl::accumulate(2, tl::adam({})), tl::cpu{}, 3};
  tl::trainer other{noisy, tl::accumulate(2, tl::adam({})), tl::cpu{}, 8};
  const auto losses = [](auto& of) {
    std::vector<float> all;
    for (int k = 0; k < 3; ++k) {
      all.push_back(of.evaluate("x"_t = x).loss());
      all.push_back(of.predict("x"_t = x).loss());
      all.push_back(of.step("x"_t = x).loss());
    }
    return all;
  };
  losses(net);
  net.evaluate("x"_t = x);
  net.evaluate("x"_t = x);
  const auto s = tl::snapshot(net);
  CHECK(s.position().collected == 1);
  CHECK(s.position().evaluations == 2);
  const auto expected = losses(net);
  CHECK(expected[0] != expected[1]);
  tl::restore(other, s);
  CHECK(losses(other) == expected);
  tl::restore(net, s);
  CHECK(losses(net) == expected);
}

TEST_CASE("a trainer that is const can be kept, saved and read") {
  const test::temporary_folder folder;
  tl::trainer net{model, tl::adam({.learning_rate = 0.1f})};
  net.accumulate(0.5, "x"_t = x);
  const auto& reader = std::as_const(net);
  const auto s = tl::snapshot(reader);
  tl::save_checkpoint(reader, folder.path("checkpoint"));
  tl::save(reader, folder.path("weights"));
  const std::string before = test::state_of(net);
  float sum = 0, same = 0;
  for (const auto& p : reader.parameters()) sum += p[0];
  for (const auto& p : net.parameters()) same += p[0];
  CHECK(sum == same);
  STATIC_REQUIRE(std::is_const_v<std::remove_reference_t<decltype(reader.parameters()[0][0])>>);
  net.apply();
  tl::load_checkpoint(net, folder.path("checkpoint"));
  CHECK(test::state_of(net) == before);
  net.apply();
  tl::restore(net, s);
  CHECK(test::state_of(net) == before);
  tl::save(tl::trainer{model, tl::lbfgs()}, folder.path("of a temporary"));
}

TEST_CASE("a fit goes on from a snapshot where it was") {
  tl::data::dataset data;
  std::vector<float> many(3 * 40);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i % 17) / 17.0f;
  data.add("x", {3}, many);
  tl::trainer net{model, tl::adam({.learning_rate = 0.1f})};
  tl::fit(net, data, {.steps = 3, .batch = 8});
  const auto s = tl::snapshot(net);
  tl::fit(net, data, {.steps = 4, .batch = 8});
  const std::string expected = test::state_of(net);
  tl::restore(net, s);
  tl::fit(net, data, {.steps = 4, .batch = 8});
  CHECK(test::state_of(net) == expected);
}

TEST_CASE("views, functions on the weights and another policy see what was restored") {
  tl::trainer net{model, tl::adam({.learning_rate = 0.1f})};
  auto weight = net.parameter<"fc1.weight">();
  const tl::function f{model, tl::weights(net)};
  const float before = f("x"_t = x).loss(), first = weight[0];
  const auto s = tl::snapshot(net);
  go_on(net);
  CHECK(weight[0] != first);
  tl::restore(net, s);
  CHECK((weight[0] == first && f("x"_t = x).loss() == before));
#ifdef TAPELESS_HAS_THRUST
  tl::trainer there{model, tl::adam({.learning_rate = 0.1f}), tl::thrust_host{}, 4};
  tl::restore(there, s);
  CHECK(test::state_of(there) == test::state_of(net));
#endif
}

TEST_CASE("numbers that hyperparameters were set to are part of a snapshot") {
  tl::trainer net{model, tl::adam({.learning_rate = 0.1f})};
  const auto unchanged = tl::snapshot(net);
  net.set<"learning_rate">(0.05f);
  const auto s = tl::snapshot(net);
  const std::string expected = go_on(net);
  net.set<"learning_rate">(0.2f);
  tl::restore(net, s);
  CHECK(net.get<"learning_rate">() == 0.05f);
  CHECK(go_on(net) == expected);
  net.set<"learning_rate">(0.2f);
  tl::restore(net, unchanged);
  CHECK(net.get<"learning_rate">() == 0.1f);
}

TEST_CASE("a snapshot of another history changes nothing") {
  tl::trainer from{model, tl::lbfgs({.history = 4})}, to{model, tl::lbfgs({.history = 5}), tl::cpu{}, 4};
  go_on(from);
  const auto s = tl::snapshot(from);
  const std::string before = test::state_of(to);
  CHECK_THROWS_WITH(tl::restore(to, s), test::contains("its rule has other numbers"));
  CHECK(test::state_of(to) == before);
}

TEST_CASE("a snapshot has the numbers that hyperparameters were set to") {
  const auto check = [](auto rule) {
    tl::trainer net{model, rule, tl::cpu{}, 3}, other{model, rule, tl::cpu{}, 8};
    const auto none = tl::snapshot(net);
    const double own = net.template get<"learning_rate">();
    const std::string by_own = go_on(net);
    net.template set<"learning_rate">(0.03125);
    const auto some = tl::snapshot(net);
    const std::string by_set = go_on(net);
    net.template set<"learning_rate">(0.5);
    tl::restore(net, some);
    CHECK(net.template get<"learning_rate">() == 0.03125);
    CHECK(go_on(net) == by_set);
    tl::restore(net, none);
    CHECK(net.template get<"learning_rate">() == own);
    CHECK(go_on(net) == by_own);
    tl::restore(other, some);
    CHECK(other.template get<"learning_rate">() == 0.03125);
    CHECK(go_on(other) == by_set);
  };
  check(tl::adam({.learning_rate = 0.1f}));
  check(tl::lbfgs({.history = 4}));
  check(tl::adam({.learning_rate = tl::linear_schedule({.start = 0.5, .end = 0.125, .steps = 8})}));
}
