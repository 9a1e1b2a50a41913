// SPDX-License-Identifier: BSL-1.0
// Which operations share a fused kernel, what it is made of, and in which order commands run.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "value_graph.hpp"

#include <tapeless/plan/materialize.hpp>
#include <tapeless/plan/plan.hpp>

namespace {

constexpr int groups(const tl::graph& g) {
  tl::list<int> group;
  tl::fuse(g, tl::max_group_size, group);
  int n = 0;
  for (int i = 0; i < group.size(); ++i) n += group[i] == i ? 1 : 0;
  return n;
}

constexpr void output(tl::value v) { v.builder->outputs.push({v.id, nullptr}); }

// What is seen in another shape is an output without a copy. Nobody else may have the memory of an input, or
// what is in another order.
constexpr int groups_of_output(tl::value v) {
  tl::graph g;
  output(v);
  tl::materialize(*v.builder, g);
  return groups(g);
}
static_assert([] {
  tl::graph g;
  return groups_of_output(reshape(exp(test::input<"x">(g, {4, 3})), {2, {2, 6}}));
}() == 1);
static_assert([] {
  tl::graph g;
  return groups_of_output(reshape(test::input<"x">(g, {4, 3}), {2, {2, 6}}));
}() == 1);
static_assert([] {
  tl::graph g;
  return groups_of_output(tl::permute<1, 0>(exp(test::input<"x">(g, {4, 3}))));
}() == 2);

// A chain of operations is one group.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {4, 3});
  output(exp(tanh(x) + 1.0) * x);
  return groups(g);
}() == 1);

// A broadcast operand is loaded; one that is computed has a group of its own.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {4, 3}), row = test::input<"row">(g, {3});
  output(x + exp(row));
  return groups(g);
}() == 2);

// A value with users in one group belongs to it; one that two groups read is computed once.
static_assert([] {
  tl::graph g;
  const tl::value h = exp(test::input<"x">(g, {4}));
  output(h * h + h);
  return groups(g);
}() == 1);
static_assert([] {
  tl::graph g;
  const tl::value h = exp(test::input<"x">(g, {4}));
  output(test::sum(h));
  output(tanh(h));
  return groups(g);
}() == 3);

// It is computed by the first of several that read it, where that is element by element and overwrites
// nothing; not where a product or a view reads it before.
static_assert([] {
  tl::graph g;
  const tl::value h = exp(test::input<"x">(g, {4}));
  output(tanh(h));
  output(test::sum(h));
  return groups(g);
}() == 2);
static_assert([] {
  tl::graph g;
  const tl::value h = exp(test::input<"x">(g, {4, 4}));
  output(matmul(h, h));
  output(tanh(h));
  return groups(g);
}() == 2);
static_assert([] {
  tl::graph g;
  const tl::value h = exp(test::input<"x">(g, {4, 3}));
  output(tanh(transpose_last(h)));
  output(tanh(h));
  return groups(g);
}() == 3);
static_assert([] {
  tl::graph g;
  const tl::value w = test::parameter<"w">(g, {4}), h = exp(w);
  g.effects.push({w.id, (w - h).id});
  output(test::sum(h));
  return groups(g);
}() == 3);

// A reduction ends its group, and takes in what it reduces.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {4, 3});
  output(exp(test::sum(square(x))));
  return groups(g);
}() == 2);

// A product is no group.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {4, 4});
  output(exp(matmul(exp(x), x)));
  return groups(g);
}() == 2);

// A group does not grow without limit.
static_assert([] {
  tl::graph g;
  tl::value x = test::input<"x">(g, {4});
  for (int i = 0; i < 100; ++i) x = sin(x);
  output(x);
  return groups(g);
}() == 4);

struct planned {
  int fused_kernels = 0, products = 0, buffers = 0, rank = 0, loads = 0, instructions = 0, stores = 0;
  unsigned reduced = 0;
  std::int64_t extent = 0;
  tl::lane lane = tl::lane::number;
  bool failed = false;
};

// What a plan says, of its first fused kernel.
template <class Build>
constexpr planned plan(Build build) {
  tl::graph whole, g;
  build(whole);
  tl::materialize(whole, g);
  tl::list<int> group, target;
  tl::schedule s;
  const tl::list<int> prologue = tl::fuse(g, tl::max_group_size, group);
  tl::make_schedule(g, group, prologue, s);
  target.assign(g.nodes.size(), -1);
  for (const tl::graph_effect& e : g.effects) target[e.node] = e.target;
  tl::defer_updates(g, s, target);
  tl::find_lifetimes(g, s, target);
  planned p{
      .fused_kernels = s.fused_kernels.size(), .products = s.products.size(), .buffers = s.buffers.size()};
  p.failed = g.failed();
  if (p.fused_kernels == 0) return p;
  const tl::planned_fused_kernel& first = s.fused_kernels[0];
  p.rank = first.rank;
  p.loads = first.loads;
  p.instructions = first.instructions;
  p.stores = first.stores;
  p.reduced = first.reduced;
  p.extent = first.rank > 0 ? first.extents[first.rank - 1] : 1;
  p.lane = first.loads > 0 ? s.loads[first.first_load].kind : tl::lane::number;
  return p;
}

// Loops that all operands step through alike are one.
constexpr planned flat = plan([](tl::graph& g) { output(exp(test::input<"x">(g, {4, 1, 6}) + 1.0)); });
static_assert(flat.fused_kernels == 1 && flat.rank == 1 && flat.extent == 24 &&
              flat.lane == tl::lane::contiguous);
static_assert(flat.loads == 2 && flat.instructions == 2 && flat.stores == 1);

constexpr planned with_two_readers = plan([](tl::graph& g) {
  const tl::value h = exp(test::input<"x">(g, {4, 6}));
  output(tanh(h));
  output(test::sum(h));
});
static_assert(with_two_readers.fused_kernels == 2 && with_two_readers.stores == 2 &&
              with_two_readers.loads == 1);

constexpr planned broadcast =
    plan([](tl::graph& g) { output(test::input<"column">(g, {4, 1}) + test::input<"x">(g, {2, 4, 6})); });
static_assert(broadcast.rank == 3 && broadcast.extent == 6 && broadcast.lane == tl::lane::broadcast);

constexpr planned rows = plan([](tl::graph& g) {
  output(tl::sum_operation::build(square(test::input<"x">(g, {4, 5, 6})), 6u, false));
});
static_assert(rows.fused_kernels == 1 && rows.rank == 2 && rows.reduced == 2u && rows.extent == 30);

constexpr planned columns =
    plan([](tl::graph& g) { output(tl::sum_operation::build(test::input<"x">(g, {4, 5, 6}), 1u, false)); });
static_assert(columns.rank == 2 && columns.reduced == 1u && columns.extent == 30);

constexpr planned transposed =
    plan([](tl::graph& g) { output(exp(transpose_last(test::input<"x">(g, {4, 5})))); });
static_assert(transposed.rank == 2 && transposed.lane == tl::lane::strided);

// Products read transposed operands where they are; only what they cannot read is copied.
static_assert(plan([](tl::graph& g) {
                const tl::value x = test::input<"x">(g, {4, 5});
                output(matmul(transpose_last(x), x));
              }).fused_kernels == 0);
static_assert(plan([](tl::graph& g) {
                const tl::value x = test::input<"x">(g, {4, 6});
                output(matmul(slice(x, 1, 0, 2, 3), test::input<"y">(g, {3, 2})));
              }).fused_kernels == 1);

// An output that is an input, or a view, is copied.
static_assert(plan([](tl::graph& g) { output(test::input<"x">(g, {3})); }).fused_kernels == 1);
static_assert(plan([](tl::graph& g) {
                output(transpose_last(exp(test::input<"x">(g, {3, 2}))));
              }).fused_kernels == 2);

// A parameter's update is written where the parameter is: no buffer for it.
constexpr planned update = plan([](tl::graph& g) {
  const tl::value w = test::parameter<"w">(g, {3});
  output(test::sum(w));
  g.effects.push({w.id, (w - 0.1 * exp(w)).id});
});
static_assert(update.fused_kernels == 2 && update.buffers == 1 && !update.failed);

// What starts again at zero is overwritten by the fused kernel that reads it, unless several do.
template <bool ReadTwice>
constexpr void collect(tl::graph& g) {
  const tl::value w = test::parameter<"w">(g, {2, 3}), sum = test::parameter<"sum">(g, {2, 3});
  if constexpr (ReadTwice) output(test::sum(square(sum)));
  g.effects.push({w.id, (w - 0.1 * sum).id});
  g.effects.push({sum.id, expand(tl::make_constant(g, 0, sum.type()), shape_of(sum)).id});
}
constexpr planned collected = plan(collect<false>), read_twice = plan(collect<true>);
static_assert(collected.fused_kernels == 1 && collected.stores == 2 && collected.rank == 1 &&
              !collected.failed);
static_assert(read_twice.fused_kernels == 3 && !read_twice.failed);

// Results that are one value in several shapes, which others read, too.
constexpr auto shown = [] {
  auto x = tl::input<"x", float, tl::dyn<"rows">, 6>;
  auto y = tl::exp(x);
  return tl::outputs(tl::named<"seen">(tl::reshape<tl::dyn<"rows">, 2, 3>(y)), tl::named<"own">(y),
                     tl::named<"again">(tl::reshape<tl::dyn<"rows">, 3, 2>(y)),
                     tl::named<"later">(tl::sum(tl::sin(y))));
};

}  // namespace

// Scalars known before the step are one group, and more where one kernel would be longer than compilers take.
constexpr int groups_before_step(int scalars) {
  tl::graph g;
  tl::value known = tl::make_hyperparameter(g, 0);
  for (int i = 0; i < scalars; ++i) known = exp(known);
  output(known);
  return groups(g);
}
static_assert(groups_before_step(40) == 1 && groups_before_step(tl::max_prologue_size) == 1);
static_assert(groups_before_step(tl::max_prologue_size + 1) == 2);

TEST_CASE("fusion, fused kernels and the places of values are constants") { SUCCEED(); }

TEST_CASE("commands with effects come last, and those that read what they write behind them") {
  tl::graph g;
  const tl::value w = test::parameter<"w">(g, {3}), next = w - 1.0, loss = test::sum(w * w);
  g.outputs.push({loss.id, nullptr});
  g.effects.push({w.id, next.id});
  tl::list<int> group, target;
  tl::schedule s;
  const tl::list<int> prologue = tl::fuse(g, tl::max_group_size, group);
  tl::make_schedule(g, group, prologue, s);
  target.assign(g.nodes.size(), -1);
  target[next.id] = w.id;
  tl::defer_updates(g, s, target);
  REQUIRE(s.commands.size() == 2);
  const auto stored = [&](int command) {
    return s.stores[s.fused_kernels[s.commands[command].index].first_store].place.base;
  };
  CHECK(stored(0) == loss.id);
  CHECK(stored(1) == next.id);
}

TEST_CASE("results in other shapes are the values that were computed") {
  test::on_each_policy([]<class Policy> {
    tl::function f{shown, Policy{}};
    for (const std::size_t rows : {1u, 5u, 400u}) {
      const auto x = test::numbers(3).vector<float>(rows * 6);
      const auto r = f("x"_t = x);
      double later = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(std::abs(r.template get<"own">()[i] - std::exp(x[i])) < 1e-5);
        CHECK(r.template get<"seen">()[i] == r.template get<"own">()[i]);
        CHECK(r.template get<"again">()[i] == r.template get<"own">()[i]);
        later += std::sin(std::exp(x[i]));
      }
      CHECK(std::abs(r.template get<"later">()[0] - later) < 1e-4 * static_cast<double>(1 + x.size()));
    }
  });
}
