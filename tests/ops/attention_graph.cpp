// SPDX-License-Identifier: BSL-1.0
// The graphs of attention and its gradient stay small: nodes cost the compiler time, and fused kernels
// memory.
#include "catch.hpp"
#include "program.hpp"
#include "value_graph.hpp"

#include <tapeless/graph/transform/prune.hpp>

namespace {

struct counts {
  int forward = 0, whole = 0, pads = 0, comparisons = 0, exponentials = 0;
  int kernels = 0, gradients = 0, rest = 0;  // where backends have kernels for attention
};

// Layers one after the other, and the gradients of their parameters.
template <tl::attention_options Options, int Layers>
constexpr counts count() {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2, 16, 32});
  tl::value y = x;
  const auto layer = [&]<int I>() { y = tl::attention<tl::name{"a"} + I, Options>(y); };
  layer.template operator()<0>();
  if (Layers == 2) layer.template operator()<1>();
  const tl::value loss = test::sum(y * y);
  tl::list<int> parameters, gradients;
  for (int i = 0; i < g.nodes.size(); ++i)
    if (g.nodes[i].op->kind == tl::family::parameter) parameters.push(i);
  tl::reverse(loss, tl::make_constant(g, 1, loss.type()), parameters, gradients);
  tl::graph forward, whole;
  g.outputs.push({y.id, nullptr});
  tl::prune(g, forward);
  for (const int id : gradients) g.outputs.push({id, nullptr});
  tl::prune(g, whole);
  counts c{.forward = forward.nodes.size()};
  c.whole = whole.nodes.size();
  c.pads = test::count(whole, "pad");
  c.comparisons = test::count(whole, "<=");
  c.exponentials = test::count(whole, "exp");
  tl::graph attention;
  tl::prune(g, attention, true, tl::attention_support::of_floats);
  c.kernels = test::count(attention, "attention");
  c.gradients = test::count(attention, "attention's gradients");
  c.rest = test::count(attention, "exp") + test::count(attention, "<=") + test::count(attention, "pad");
  return c;
}

constexpr counts causal = count<tl::attention_options{.heads = 4, .causal = true}, 1>();
static_assert(causal.forward <= 45 && causal.whole <= 86);
static_assert(causal.pads == 0 && causal.comparisons == 1 && causal.exponentials == 1);

// Without a mask there is nothing of one, and all layers share theirs.
constexpr counts plain = count<tl::attention_options{.heads = 4}, 1>();
static_assert(plain.forward <= causal.forward - 6 && plain.comparisons == 0);
constexpr counts two = count<tl::attention_options{.heads = 4, .causal = true}, 2>();
static_assert(two.comparisons == 1 && two.exponentials == 2 && two.whole < 2 * causal.whole);

// One rotation by positions does for queries and keys, and all layers share its angles.
constexpr counts rotary = count<tl::attention_options{.heads = 4, .rotary = true}, 2>();
static_assert(rotary.exponentials == 3 && rotary.pads == 0);

// Kernels leave no scores over, and one of them computes all gradients of a layer.
static_assert(causal.kernels == 1 && causal.gradients == 1 && causal.rest == 0);
static_assert(two.kernels == 2 && two.gradients == 2 && two.rest == 0);

}  // namespace

TEST_CASE("attention's graph is as small as is said above") { CHECK(two.whole > causal.whole); }
