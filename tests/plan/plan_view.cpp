// SPDX-License-Identifier: BSL-1.0
// The tables of a plan: as constants, and as a program sees them.
#include <tapeless/plan/plan_view.hpp>

#include <utility>

#include "catch.hpp"
#include "value_graph.hpp"

#include <tapeless/plan/materialize.hpp>

namespace {

struct builder {
  static constexpr void build(tl::graph& g) {
    tl::graph whole;
    const tl::value x = test::input<"x">(whole, {2, whole.extents.number(tl::dyn<"n">)});
    const tl::value y = cumulative_sum(exp(x), 1, false);
    whole.outputs.push({(y * 2.0).id, &tl::interned<"y">});
    tl::materialize(whole, g);
  }
};

constexpr auto& plan = tl::plan_of<builder>;
constexpr auto& view = tl::view_of_plan<builder>();

static_assert(plan.commands.size() == 3 && plan.fused_kernels.size() == 2 && plan.instructions.size() == 2);
static_assert(plan.families.of<tl::planned_prefix_scan>().size() == 1);
static_assert(plan.families.of<tl::planned_pooling>().empty());

// All of them are there, but for the instructions, which the compiler alone needs.
static_assert([] {
  bool same = view.instructions.empty();
  tl::for_each_plan_table(
      [&](const auto& table, const auto& seen) {
        const bool is_seen = !std::is_same_v<decltype(seen[0]), const tl::no_instruction&>;
        same = same && (!is_seen || (seen.size() == table.size()));
      },
      plan, view);
  return same && view.nodes.size() == plan.place.size() && view.outputs.size() == 1;
}());
static_assert(view.stores[0].place.base == plan.stores[0].place.base);
static_assert(view.commands[1].kind == tl::planned_command::kind::of_family);
static_assert(view.families.of<tl::planned_prefix_scan>()[0].axis == 1);

// A plan of more extents than there is room for at first is made once more.
struct many_lengths {
  static constexpr void build(tl::graph& g) {
    tl::graph whole;
    const std::int64_t n = whole.extents.number(tl::dyn<"n">);
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (whole.outputs.push(
           {exp(test::input<tl::name{"x"} + I>(whole, {whole.extents.add(n, I)})).id, nullptr}),
       ...);
    }(std::make_integer_sequence<int, 80>{});
    tl::materialize(whole, g);
  }
};
static_assert(tl::detail::made_plan<many_lengths>.is_full);
static_assert(tl::plan_of<many_lengths>.extents.size() >= 80 &&
              tl::plan_of<many_lengths>.place.size() == 160);

// There is room for as many kernels of a family as the graph has nodes of it.
struct long_chain {
  static constexpr void build(tl::graph& g) {
    tl::graph whole;
    tl::value x = test::input<"x">(whole, {4});
    for (int i = 0; i < 40; ++i) x = flip(exp(x), 0);
    whole.outputs.push({x.id, nullptr});
    tl::materialize(whole, g);
  }
};
static_assert(!tl::detail::made_plan<long_chain>.is_full);
static_assert(tl::plan_of<long_chain>.families.of<tl::planned_gather>().size() == 40 &&
              tl::plan_of<long_chain>.commands.size() == 80);

}  // namespace

TEST_CASE("a plan is a constant, and can be seen without its sizes") {
  CHECK(view.commands.data() == tl::view_of_plan<builder>().commands.data());
}
