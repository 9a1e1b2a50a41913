// SPDX-License-Identifier: BSL-1.0
// Steps of a graph that has no edges are taken; those on no samples are refused, with nothing changed.
#include "catch.hpp"

#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;
using test::contains;

namespace {

constexpr auto nodes = tl::dyn<"nodes">, edges = tl::dyn<"edges">;

// Each node gets the sum of its neighbours' messages.
constexpr auto messages = [] {
  auto x = tl::input<"x", double, nodes, 2>;
  auto from = tl::input<"from", std::int64_t, edges>;
  auto to = tl::input<"to", std::int64_t, edges>;
  auto sent = tl::tanh(tl::linear<"message", 2>(tl::index_select<0>(x, from)));
  auto h = tl::index_add<0>(tl::linear<"self", 2>(x), to, sent);
  return tl::outputs(tl::mean(tl::square(h)), tl::named<"h">(h));
};

// A mean over one input and another over a second one.
constexpr auto two_means = [] {
  auto x = tl::input<"x", double, tl::dyn<"n">, 2>;
  auto y = tl::input<"y", double, tl::dyn<"m">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x))) + tl::mean(tl::square(tl::linear<"fc", 1>(y)));
};

// Only the shape of x tells that nothing is there; the loss would be 0/0.
constexpr auto masked = [] {
  auto x = tl::input<"x", double, tl::dyn<"n">, 2>;
  auto keep = tl::input<"keep", bool, tl::dyn<"n">, 1>;
  auto scale = tl::input<"scale", double, 2>;
  auto y = tl::where(keep, tl::square(tl::linear<"fc", 1>(scale * x)), 0_c);
  return tl::sum(y) / tl::sum(tl::cast<double>(keep));
};

}  // namespace

TEST_CASE("a graph without edges") {
  tl::trainer net{messages, tl::sgd({.learning_rate = 0.1})};
  const std::vector<double> x{1, 2, -3, 0.5};
  const std::vector<std::int64_t> none;
  const double before = net.parameter<"message.weight">()[0];
  net.gradients("x"_t = x, "from"_t = none, "to"_t = none);
  for (const double g : net.gradient<"message.weight">()) CHECK(g == 0);
  for (const double g : net.gradient<"message.bias">()) CHECK(g == 0);
  CHECK(net.gradient<"self.weight">()[0] != 0);
  net.apply();
  CHECK(net.parameter<"message.weight">()[0] == before);
  const double loss = net.step("x"_t = x, "from"_t = none, "to"_t = none).loss();
  CHECK(std::isfinite(loss));
  const std::vector<std::int64_t> from{0, 1, 1}, to{1, 0, 0};
  CHECK(std::isfinite(net.step("x"_t = x, "from"_t = from, "to"_t = to).loss()));
  CHECK(net.evaluate("x"_t = x, "from"_t = none, "to"_t = none).loss() < loss);
  const std::vector<double> no_nodes;
  CHECK_THROWS_WITH(net.step("x"_t = no_nodes, "from"_t = none, "to"_t = none),
                    contains("input \"x\" has no elements: one sample or more is needed"));
}

TEST_CASE("a mean over nothing is refused, and so is a step without any sample") {
  tl::trainer net{two_means, tl::sgd({})};
  const std::vector<double> x{1, 2}, none;
  CHECK_THROWS_WITH(net.step("x"_t = x, "y"_t = none), contains("input \"y\" has no elements"));
  CHECK_THROWS_WITH(net.step("x"_t = none, "y"_t = x), contains("input \"x\" has no elements"));
  CHECK(net.steps() == 0);
  CHECK(std::isfinite(net.step("x"_t = x, "y"_t = x).loss()));
  tl::trainer other{masked, tl::sgd({})};
  CHECK_THROWS_WITH(other.step("x"_t = none, "keep"_t = std::span<const bool>(), "scale"_t = x),
                    contains("has no elements"));
}
