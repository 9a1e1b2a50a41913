// SPDX-License-Identifier: BSL-1.0
// Kernel families: what a plan makes of their nodes, and the commands that run them.
#include <tapeless/plan/families/kernel_families.hpp>

#include <tapeless/plan/fuse.hpp>
#include <tapeless/plan/make_schedule.hpp>
#include <tapeless/plan/materialize.hpp>
#include <tapeless/plan/order.hpp>

#include "catch.hpp"
#include "value_graph.hpp"

namespace {

static_assert(tl::kernel_family<tl::planned_gather>);
static_assert(!tl::kernel_family<tl::planned_product>);  // has a place of its own in plans
static_assert(tl::kernel_families::contains<tl::planned_scatter>);
static_assert(!tl::family_list<tl::planned_gather>::contains<tl::planned_scatter>);

// Each is at the place that the list has it at, and for_family finds it there.
static_assert([] {
  bool right = true;
  int families = 0;
  tl::for_each_family(tl::kernel_families{}, [&]<class F>() {
    right = right && tl::kernel_families::place_of<F> == families++;
    int visits = 0;
    tl::for_family(tl::kernel_families{}, tl::kernel_families::place_of<F>, [&]<class Found>() {
      ++visits;
      right = right && std::is_same_v<F, Found>;
    });
    right = right && visits == 1;
  });
  return right && families == tl::kernel_families::size;
}());

/// The schedule of a graph whose last node is read by nobody but the program's user.
template <class Build>
constexpr auto schedule_of(Build build) {
  struct planned {
    tl::graph g;
    tl::schedule s;
  } p;
  tl::graph whole;
  whole.outputs.push({build(whole).id, nullptr});
  tl::materialize(whole, p.g);
  tl::list<int> group;
  const tl::list<int> prologue = tl::fuse(p.g, tl::max_group_size, group);
  tl::make_schedule(p.g, group, prologue, p.s);
  return p;
}

/// The nodes that the last command reads and writes, in this order, as one number: 12 for "reads 1, writes
/// 2".
template <class Planned>
constexpr int last_command(const Planned& p) {
  int digits = 0;
  const auto add = [&](int id) { digits = 10 * digits + id; };
  const tl::planned_command& last = p.s.commands[p.s.commands.size() - 1];
  tl::detail::for_each_read(p.s, last, add);
  tl::detail::for_each_write(p.s, last, add);
  return last.kind == tl::planned_command::kind::of_family ? digits : -1;
}

static_assert([] {
  const auto p = schedule_of([](tl::graph& g) {
    return gather(test::input<"x">(g, {5, 2}), 0, test::input<"index">(g, {3, 2}, tl::element::i64));
  });
  const tl::planned_gather& f = p.s.families.of<tl::planned_gather>()[0];
  return last_command(p) == 12 && f.computes == tl::gather_kind::by_index && f.bound == 5 && f.axis == 0 &&
         f.extents[0] == 3 && f.kernel_key().index_type == tl::element::i64;
}());

static_assert([] {
  const auto p = schedule_of([](tl::graph& g) { return flip(test::input<"x">(g, {5, 2}), 1); });
  const tl::planned_gather& f = p.s.families.of<tl::planned_gather>()[0];
  return last_command(p) == 1 && f.kernel_key().computes == tl::gather_kind::flip && f.axis == 1 &&
         f.index.base < 0;
}());

static_assert([] {
  const auto p =
      schedule_of([](tl::graph& g) { return cumulative_sum(test::input<"x">(g, {5, 2}), 0, true); });
  const tl::planned_prefix_scan& f = p.s.families.of<tl::planned_prefix_scan>()[0];
  return last_command(p) == 1 && f.from_the_end && f.axis == 0 && f.source.strides[0] == 2;
}());

// A constant is no memory: it is copied before.
static_assert([] {
  const auto p = schedule_of([](tl::graph& g) {
    return cumulative_sum(expand(tl::make_constant(g, 3, tl::element::f32), {1, {4}}), 0, false);
  });
  return p.s.fused_kernels.size() == 1 && p.s.families.of<tl::planned_prefix_scan>().size() == 1;
}());

}  // namespace

TEST_CASE("plans of kernel families are constants") { SUCCEED(); }
