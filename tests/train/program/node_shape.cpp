// SPDX-License-Identifier: BSL-1.0
// The shapes of nodes that are known while compiling.
#include <tapeless/train/program/node_shape.hpp>

#include <tapeless/operations.hpp>
#include <tapeless/train/program/graph_builders.hpp>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  return tl::outputs(tl::sum(x), tl::named<"y">(tl::tanh(x)));
};
using program = tl::ready<tl::forward_graph_builder<decltype(model)>>;
template <int Output>
constexpr int node_of = tl::constant_graph_of<program>.outputs[Output].node;

}  // namespace

TEST_CASE("a scalar has no axis and one element, a matrix has its extents and their product") {
  STATIC_REQUIRE(tl::detail::shape_of_node<program, node_of<0>>.empty());
  STATIC_REQUIRE(tl::detail::count_of_node<program>(node_of<0>) == 1);
  STATIC_REQUIRE(tl::detail::shape_of_node<program, node_of<1>> == std::array<std::int64_t, 2>{2, 3});
  STATIC_REQUIRE(tl::detail::count_of_node<program>(node_of<1>) == 6);
}
