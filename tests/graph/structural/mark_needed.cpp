// SPDX-License-Identifier: BSL-1.0
// The nodes that a node is computed from.
#include <tapeless/graph/structural/mark_needed.hpp>

#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto apart = [] {
  auto y = tl::log(tl::input<"y", float, 2>);
  return tl::outputs(tl::sum(tl::exp(tl::input<"x", float, 2>)), tl::named<"other">(y));
};
// What is handed on needs y, which the value of an iteration alone does not.
constexpr auto looped = [] {
  return tl::scan<3>(tl::input<"x", float>, [](auto h) { return tl::tanh(h) * tl::input<"y", float>; });
};

template <class Model>
std::vector<std::string_view> needed_by_first_output(Model) {
  tl::graph g;
  tl::load_graph(g, tl::constant_graph_of<tl::lower<Model>>);
  tl::list<char> needed;
  needed.assign(g.nodes.size(), 0);
  tl::detail::mark_needed(g, g.outputs[0].node, needed);
  std::vector<std::string_view> names;
  for (int i = 0; i < g.nodes.size(); ++i)
    if (needed[i] != 0) names.push_back(g.nodes[i].op->name);
  return names;
}

}  // namespace

TEST_CASE("what another output needs is left out, what the next iteration needs is not") {
  CHECK(needed_by_first_output(apart) == std::vector<std::string_view>{"input", "exp", "sum"});
  const auto all = needed_by_first_output(looped);
  CHECK(std::count(all.begin(), all.end(), "input") == 2);
  CHECK(std::count(all.begin(), all.end(), "tanh") == 1);
}
