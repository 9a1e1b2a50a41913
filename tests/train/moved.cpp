// SPDX-License-Identifier: BSL-1.0
// Trainers that move, in the middle of training: all that was taken from them goes on, and nobody uses the
// place where they were.
#include <tapeless/tapeless.hpp>

#include <vector>

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
  auto y = tl::linear<"fc2", 2>(h);
  return tl::outputs(tl::mean(tl::square(y - 1_c)), tl::named<"y">(y));
};

const std::vector<float> x{0.5f, -1, 2, 0.25f, 1, -0.5f, 3, 0, 1, -2, 0.75f, 0.125f};
const std::string sentence = "tapeless: this trainer has been moved to another place: use it there";

/// Steps of each kind, with a change of place after each where that is asked for.
template <class Net>
std::string train(Net net, bool moves) {
  std::vector<Net> places;
  const auto move = [&] {
    if (!moves) return;
    places.push_back(std::move(net));  // and with it, now and then, those that are there
    net = std::move(places.back());
  };
  std::string seen;
  for (int k = 0; k < 5; ++k) {
    auto r = net.step("x"_t = x);
    const auto y = r.template get<"y">();
    auto weight = net.template parameter<"fc2.weight">();
    move();
    seen += test::bytes_of_elements(y) + test::bytes_of_elements(r.loss());
    weight[1] += 0.125f;
    if constexpr (requires { net.apply(); }) {
      net.accumulate(0.5, "x"_t = x);
      auto gradient = net.template gradient<"fc1.bias">();
      move();
      gradient[2] = 1;
      net.apply();
      move();
    }
    seen += test::bytes_of_elements(net.predict("x"_t = x).template get<"y">());
    move();
    seen += test::bytes_of_elements(net.evaluate("x"_t = x).loss());
  }
  return seen + test::state_of(net);
}

template <class Rule, class Policy>
auto make(Rule rule, Policy policy, std::uint64_t seed = 3) {
  return tl::trainer{model, rule, policy, seed};
}

}  // namespace

TEST_CASE("a trainer that moves computes what one that stays does") {
  test::on_each_policy([]<class Policy>() {
    const auto adam = tl::average(tl::adam({.learning_rate = 0.1f}));
    CHECK(train(make(adam, Policy{}), true) == train(make(adam, Policy{}), false));
    CHECK(train(make(tl::lbfgs({}), Policy{}), true) == train(make(tl::lbfgs({}), Policy{}), false));
  });
}

TEST_CASE("threads, schedules and callbacks go on with a trainer that has moved") {
  int calls = 0;
  const auto rule = tl::adam({.learning_rate = [&](std::int64_t) { return ++calls, 0.1f; }});
  auto first = make(rule, tl::cpu{2});
  first.step("x"_t = x);
  auto second = std::move(first);
  second.step("x"_t = x);
  CHECK(calls == 2);
  second.set<"learning_rate">(0.0f);
  const float before = second.parameter<"fc2.bias">()[0];
  second.step("x"_t = x);
  CHECK(second.parameter<"fc2.bias">()[0] == before);
  CHECK(calls == 2);

  tl::data::dataset data;
  data.add("x", {3}, x);
  struct reads {
    tl::tensor_view<float> weight;
    double* sum;
    void on_step(const tl::fit_progress&) { *sum += weight[0]; }
  };
  double sum = 0, expected = 0;
  const auto weight = second.parameter<"fc1.weight">();
  auto third = std::move(second);
  tl::fit(third, data, {.steps = 1, .batch = 4}, reads{weight, &sum});
  expected = third.parameter<"fc1.weight">()[0];
  CHECK(sum == expected);
}

TEST_CASE("averages that stand in for parameters stay with them when the trainer moves") {
  auto net = make(tl::average(tl::sgd({.learning_rate = 0.1f})), tl::cpu{});
  for (int k = 0; k < 3; ++k) net.step("x"_t = x);
  const std::string before = test::state_of(net);
  auto elsewhere = [&] {
    const auto averages = net.averaged_weights();
    auto moved = std::move(net);
    CHECK(test::state_of(moved) != before);
    CHECK_THROWS_AS(moved.step("x"_t = x), tl::error);
    return moved;
  }();
  CHECK(test::state_of(elsewhere) == before);
}

TEST_CASE("several trainers in a vector, each from a seed of its own") {
  std::vector<decltype(make(tl::adam({}), tl::cpu{}))> nets;
  for (std::uint64_t seed = 0; seed < 20; ++seed) nets.emplace_back(model, tl::adam({}), tl::cpu{}, seed);
  for (auto& net : nets) net.step("x"_t = x);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto alone = make(tl::adam({}), tl::cpu{}, seed);
    alone.step("x"_t = x);
    CHECK(test::state_of(alone) == test::state_of(nets[seed]));
  }
  nets.erase(nets.begin() + 2, nets.begin() + 7);
  auto seventh = make(tl::adam({}), tl::cpu{}, 7);
  seventh.step("x"_t = x);
  CHECK(test::state_of(nets[2]) == test::state_of(seventh));
}

// Whatever it is: what is left behind has nothing that could be used.
TEST_CASE("a trainer that has been moved from says so") {
  const test::temporary_folder folder;
  const auto check = [&](auto net) {
    auto there = std::move(net);
    there.step("x"_t = x);
    CHECK_THROWS_WITH(net.step("x"_t = x), sentence);
    CHECK_THROWS_WITH(net.evaluate("x"_t = x), sentence);
    CHECK_THROWS_WITH(net.predict("x"_t = x), sentence);
    CHECK_THROWS_WITH(net.template parameter<"fc1.bias">(), sentence);
    CHECK_THROWS_WITH(net.parameters(), sentence);
    CHECK_THROWS_WITH(net.parameter_data(), sentence);
    CHECK_THROWS_WITH(net.state_data(), sentence);
    CHECK_THROWS_WITH(net.steps(), sentence);
    CHECK_THROWS_WITH(net.position(), sentence);
    CHECK_THROWS_WITH(net.rule_text(), sentence);
    CHECK_THROWS_WITH(net.template set<"learning_rate">(0.1f), sentence);
    CHECK_THROWS_WITH(tl::save(net, folder.path("net")), sentence);
    CHECK_THROWS_WITH(tl::load_checkpoint(net, folder.path("net")), test::contains("net"));
    CHECK_THROWS_WITH(tl::snapshot(net), sentence);
    CHECK_THROWS_WITH(tl::weights(net), sentence);
    if constexpr (requires { net.apply(); }) {
      CHECK_THROWS_WITH(net.apply(), sentence);
      CHECK_THROWS_WITH(net.gradients("x"_t = x), sentence);
      CHECK_THROWS_WITH(net.accumulate(1, "x"_t = x), sentence);
      CHECK_THROWS_WITH(net.discard_gradients(), sentence);
      CHECK_THROWS_WITH(net.template gradient<"fc1.bias">(), sentence);
      CHECK_THROWS_WITH((net.template state<"adam.mu", "fc1.bias">()), sentence);
      CHECK_THROWS_WITH(net.collected_gradients(), sentence);
    }
    net = std::move(there);
    CHECK(net.steps() == 1);
  };
  check(make(tl::adam({}), tl::cpu{}));
  check(make(tl::lbfgs({}), tl::cpu{}));
}
