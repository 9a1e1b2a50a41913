// SPDX-License-Identifier: BSL-1.0
// Eager updates and accumulated ones: the same numbers at other times.
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto batch = tl::dyn<"batch">;

// Two branches share a layer, which is used again behind a checkpoint.
constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 16>;
  auto y = tl::input<"y", float, batch, 16>;
  auto left = tl::tanh(tl::linear<"shared", 16>(x));
  auto right = tl::checkpoint(tl::relu(tl::linear<"own", 16>(tl::linear<"shared", 16>(y))));
  auto both = tl::tanh(tl::linear<"shared", 16>(left * right));
  return tl::mean(tl::square(tl::linear<"head", 4>(both) - tl::slice<1, 0, 4>(x)));
};

template <class Net>
std::vector<std::vector<float>> trained(Net& net) {
  test::numbers random(5);
  for (int step = 0; step < 6; ++step) {
    const auto x = random.vector<float>(8 * 16), y = random.vector<float>(8 * 16);
    net.step("x"_t = x, "y"_t = y);
  }
  const auto values = [](auto view) { return std::vector<float>(view.begin(), view.end()); };
  return {values(net.template parameter<"shared.weight">()), values(net.template parameter<"shared.bias">()),
          values(net.template parameter<"own.weight">()), values(net.template parameter<"head.weight">())};
}

}  // namespace

TEST_CASE("eager and deferred updates agree bit for bit, shared parameters included") {
  tl::trainer deferred{model, tl::adamw({.learning_rate = 1e-2f})};
  tl::trainer eager{model, tl::adamw({.learning_rate = 1e-2f}), tl::cpu{}, tl::eager_updates};
  CHECK(trained(deferred) == trained(eager));
  constexpr tl::memory_plan with = decltype(eager)::plan("batch"_t = 8),
                            without = decltype(deferred)::plan("batch"_t = 8);
  STATIC_REQUIRE(with.parameters == without.parameters);
  STATIC_REQUIRE(with.optimizer == without.optimizer);
  STATIC_REQUIRE(with.gradients < without.gradients);
  STATIC_REQUIRE(with.peak <= without.peak);
}

TEST_CASE("accumulated steps are one step on all their samples") {
  tl::trainer whole{model, tl::sgd({.learning_rate = 0.5f})};
  tl::trainer parts{model, tl::accumulate(2, tl::sgd({.learning_rate = 0.5f}))};
  tl::trainer eager{model, tl::accumulate(2, tl::sgd({.learning_rate = 0.5f})), tl::cpu{}, tl::eager_updates};
  test::numbers random(9);
  const auto x = random.vector<float>(8 * 16), y = random.vector<float>(8 * 16);
  const auto before = test::elements(parts.parameter<"shared.weight">());
  whole.step("x"_t = x, "y"_t = y);
  const auto first = [](const auto& v) { return std::span(v).first(64); };
  const auto second = [](const auto& v) { return std::span(v).subspan(64); };
  parts.step("x"_t = first(x), "y"_t = first(y));
  eager.step("x"_t = first(x), "y"_t = first(y));
  CHECK(parts.steps() == 0);
  CHECK(test::elements(parts.parameter<"shared.weight">()) == before);
  parts.step("x"_t = second(x), "y"_t = second(y));
  eager.step("x"_t = second(x), "y"_t = second(y));
  CHECK(parts.steps() == 1);
  const auto a = test::elements(whole.parameter<"shared.weight">()),
             b = test::elements(parts.parameter<"shared.weight">()),
             c = test::elements(eager.parameter<"shared.weight">());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(b[i] == test::Approx(a[i]).epsilon(1e-5).margin(1e-6));
  CHECK(b == c);
}

TEST_CASE("accumulate takes one step or more") {
  CHECK_THROWS_WITH(tl::accumulate(0, tl::sgd({.learning_rate = 1.0f})),
                    test::contains("accumulate(0, rule): it takes 1 step or more"));
}
