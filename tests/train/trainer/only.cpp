// SPDX-License-Identifier: BSL-1.0
// only: a model of some of another one's outputs.
#include <tapeless/tapeless.hpp>

#include <cstdint>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto far = tl::input<"far", float, batch, 2>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto h = tl::tanh(tl::linear<"fc1", 4>(x));
  auto logits = tl::linear<"fc2", 2>(h);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits),
                     tl::named<"distance">(tl::mean<1>(tl::square(logits - far))), tl::named<"h">(h));
};

const std::vector<float> x{1, 2, 3, -1, 0.5f, 0}, far{0, 1, 1, 0};
const std::vector<std::int32_t> label{0, 1};

template <class View>
std::vector<float> numbers(const View& view) {
  return {view.begin(), view.end()};
}

}  // namespace

TEST_CASE("a function of one output wants only what that needs, and shares a trainer's weights") {
  tl::trainer net{model, tl::adam()};
  const tl::function f{tl::only<"logits">(model), tl::weights(net)};
  net.step("x"_t = x, "far"_t = far, "label"_t = label);
  const auto all = net.predict("x"_t = x, "far"_t = far);
  const auto one = f("x"_t = x);
  CHECK(numbers(one.get<"logits">()) == numbers(all.get<"logits">()));
}

TEST_CASE("several outputs, in any order, and none that the model names before") {
  tl::trainer net{model, tl::adam()};
  const tl::function f{tl::only<"h", "distance">(model), tl::weights(net)};
  const auto all = net.predict("x"_t = x, "far"_t = far);
  const auto two = f("x"_t = x, "far"_t = far);
  CHECK(numbers(two.get<"h">()) == numbers(all.get<"h">()));
  CHECK(numbers(two.get<"distance">()) == numbers(all.get<"distance">()));
}

TEST_CASE("a model of an only output is a model: it can be trained as its own loss") {
  constexpr auto energy = [] {
    auto y = tl::linear<"fc", 1>(tl::input<"x", float, 2, 3>);
    return tl::outputs(tl::mean(y), tl::named<"square">(tl::mean(tl::square(y))));
  };
  tl::trainer net{tl::only<"square">(energy), tl::sgd({.learning_rate = 0.05f})};
  const float first = net.step("x"_t = x).loss();
  for (int i = 0; i < 20; ++i) net.step("x"_t = x);
  CHECK(net.step("x"_t = x).loss() < first);
}
