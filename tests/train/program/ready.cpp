// SPDX-License-Identifier: BSL-1.0
// Graphs that are cut down to what a program needs.
#include <tapeless/train/program/ready.hpp>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto y = tl::conv2d<"c", 2, tl::conv{.kernel = 3}>(tl::input<"x", float, 1, 1, 4, 4>);
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};
using predict = tl::predict_graph_builder<decltype(model)>;

template <class Program>
constexpr bool has_convolution() {
  for (const tl::node& n : tl::constant_graph_of<Program>.nodes)
    if (n.op->kind == tl::family::convolution) return true;
  return false;
}

}  // namespace

TEST_CASE("a program has no nodes that only what it leaves out needs") {
  using program = tl::ready<predict>;
  using with_loss = tl::ready<tl::forward_graph_builder<decltype(model)>>;
  STATIC_REQUIRE(tl::constant_graph_of<program>.outputs.size() == 1);
  STATIC_REQUIRE(tl::constant_graph_of<program>.nodes.size() < tl::constant_graph_of<with_loss>.nodes.size());
}

TEST_CASE("a convolution stays whole where it is asked to, and where the policy has a kernel for it") {
  STATIC_REQUIRE(!has_convolution<tl::ready<predict>>());
  STATIC_REQUIRE(has_convolution<tl::ready<predict, true>>());
  STATIC_REQUIRE(has_convolution<tl::ready_for<predict, tl::cpu>>());
}
