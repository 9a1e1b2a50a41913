// SPDX-License-Identifier: BSL-1.0
// Commands in an order in which they can run, and one in which they can't.
#include <tapeless/plan/written_first.hpp>

#include <tapeless/plan/make_schedule.hpp>
#include <tapeless/plan/materialize.hpp>

#include <utility>

#include "catch.hpp"
#include "value_graph.hpp"

namespace {

/// Whether two sums, one of the other's tanh, can run: as they are planned, or the second one first.
constexpr bool can_run(bool is_exchanged) {
  tl::graph whole, g;
  const tl::value h = test::sum(test::input<"x">(whole, {4, 6}));
  whole.outputs.push({test::sum(tanh(h) * test::input<"y">(whole, {5})).id, nullptr});
  tl::materialize(whole, g);
  tl::list<int> group;
  tl::schedule s;
  const tl::list<int> prologue = tl::fuse(g, tl::max_group_size, group);
  tl::make_schedule(g, group, prologue, s);
  if (s.commands.size() < 2) return false;
  if (is_exchanged) std::swap(s.commands[0], s.commands[s.commands.size() - 1]);
  return tl::detail::is_written_first(s, g.nodes.size());
}

}  // namespace

TEST_CASE("a command that reads what a later one writes is found") {
  STATIC_REQUIRE(can_run(false));
  STATIC_REQUIRE(!can_run(true));
}
