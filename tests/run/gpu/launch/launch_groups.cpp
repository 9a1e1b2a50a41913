// SPDX-License-Identifier: BSL-1.0
// Which commands of a plan are one launch.
#include <tapeless/run/gpu/launch/launch_groups.hpp>

#include <tapeless/optim/rules/adam.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace k = tapeless::thrust_kernels;

namespace {

constexpr auto rows = tl::dyn<"rows">;

template <class Model>
using graph_builder_of = tl::ready<tl::forward_graph_builder<Model>>;

/// How many launches a program takes, of fused kernels and of products.
template <class GraphBuilder>
constexpr int launches() {
  int count = 0;
  for (const k::launch_group& g : k::launch_groups_of<GraphBuilder>)
    count += g.count > 0 && g.kind != k::grouping::with_product ? 1 : 0;
  return count + static_cast<int>(tl::plan_of<GraphBuilder>.products.size());
}

/// The largest group of a kind.
template <class GraphBuilder>
constexpr int largest(k::grouping kind) {
  int count = 0;
  for (const k::launch_group& g : k::launch_groups_of<GraphBuilder>)
    if (g.kind == kind && g.count > count) count = g.count;
  return count;
}

constexpr auto softmax = [] { return tl::softmax(tl::input<"x", float, rows, 100>); };
constexpr auto softmax_of_two = [] { return tl::softmax(tl::input<"x", float, rows, 2>); };
constexpr auto few_long_rows = [] { return tl::softmax(tl::input<"x", float, 4, 5000>); };
constexpr auto columns = [] { return tl::softmax<0>(tl::input<"x", float, 50, 100>); };

}  // namespace

TEST_CASE("launch_groups: a softmax of rows is one launch") {
  using graph_builder = graph_builder_of<decltype(softmax)>;
  STATIC_REQUIRE(tl::plan_of<graph_builder>.fused_kernels.size() > 1);
  STATIC_REQUIRE(launches<graph_builder>() == 1);
}

namespace {

// Rows of scores by sample, head and query; the mask has those of a query alone.
constexpr auto masked = [] {
  auto x = tl::input<"x", float, rows, 4, 8, 16>;
  return tl::softmax(tl::where(tl::input<"mask", bool, 8, 16>, x, -1e9_c));
};
// The same for as many queries and keys as there are at run time.
constexpr auto causal = [] {
  auto x = tl::input<"x", tl::bf16, rows, tl::dyn<"length">, 32>;
  return tl::scaled_dot_product_attention<tl::attention_options{.causal = true}>(x, x, x);
};

}  // namespace

TEST_CASE(
    "launch_groups: rows may be counted by several loops, where an operand keeps these from being one") {
  using graph_builder = graph_builder_of<decltype(masked)>;
  STATIC_REQUIRE(tl::plan_of<graph_builder>.fused_kernels.size() > 2);
  STATIC_REQUIRE(launches<graph_builder>() == 2);  // the number beside the mask is another
  STATIC_REQUIRE(largest<graph_builder_of<decltype(causal)>>(k::grouping::rows) == 4);
}

TEST_CASE("launch_groups: rows that a warp is too much for, or a team too little, stay alone") {
  STATIC_REQUIRE(largest<graph_builder_of<decltype(softmax_of_two)>>(k::grouping::rows) == 0);
  STATIC_REQUIRE(largest<graph_builder_of<decltype(few_long_rows)>>(k::grouping::rows) == 0);
  STATIC_REQUIRE(largest<graph_builder_of<decltype(columns)>>(k::grouping::rows) == 0);
}

namespace {

// The second softmax reads the first one's columns: other rows.
constexpr auto turned = [] {
  auto x = tl::input<"x", float, 64, 64>;
  return tl::softmax(tl::transpose(tl::softmax(x)));
};

// As many rows, of half the length: the first one's second half is the second one's second row.
constexpr auto halves = [] {
  auto y = tl::softmax(tl::input<"x", float, 64, 16>);
  return tl::softmax(tl::slice<0, 0, 64>(tl::reshape<128, 8>(y)));
};

}  // namespace

TEST_CASE("launch_groups: what reads other rows waits for all of them") {
  STATIC_REQUIRE(launches<graph_builder_of<decltype(turned)>>() == 2);
  STATIC_REQUIRE(launches<graph_builder_of<decltype(halves)>>() == 2);
}

namespace {

constexpr auto network = [] {
  auto x = tl::input<"x", float, rows, 20>;
  auto y = tl::input<"y", std::int32_t, rows>;
  auto h = tl::relu(tl::linear<"fc1", 30>(x));
  auto logits = tl::linear<"fc2", 10>(tl::relu(tl::linear<"fc2a", 30>(h)));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};
using network_step =
    tl::trainer<decltype(network), decltype(tl::adam({.learning_rate = 1e-3f}))>::step_program;

template <class Step>
constexpr int count_epilogues(k::activation then) {
  int count = 0;
  for (const k::epilogue& e : k::epilogues_of<Step>) count += e.exists && e.then == then ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("launch_groups: the updates of all parameters are one launch") {
  STATIC_REQUIRE(largest<network_step>(k::grouping::batch) == 6);
}

TEST_CASE("launch_groups: updates that wait for their own gradients are launches of their own") {
  using rule = decltype(tl::adam({.learning_rate = 1e-3f}));
  using at_once = tl::ready<tl::apply_graph_builder<decltype(network), rule>>;
  using one_by_one = tl::ready<tl::apply_graph_builder<decltype(network), rule, true>>;
  STATIC_REQUIRE(largest<at_once>(k::grouping::batch) > 1);
  STATIC_REQUIRE(largest<one_by_one>(k::grouping::batch) == 0);
}

TEST_CASE("launch_groups: layers take their bias and their ReLU along with the product") {
  STATIC_REQUIRE(count_epilogues<network_step>(k::activation::relu) == 2);
  STATIC_REQUIRE(count_epilogues<network_step>(k::activation::none) == 1);  // of the logits
}

namespace {

// A layer with a bias, one without, and one by the other GELU.
template <class Real>
constexpr auto gelus = [] {
  constexpr auto tanh = tl::approximation::tanh;
  auto x = tl::input<"x", Real, rows, 16>;
  auto a = tl::gelu<tanh>(tl::linear<"fc1", 32>(x));
  auto b = tl::gelu<tanh>(tl::matmul(a, tl::param<"w", Real, 32, 24>(tl::normal(0.1))));
  return tl::mean(tl::square(tl::linear<"fc2", 8>(tl::gelu(tl::linear<"fc3", 8>(b)))));
};
template <class Rule>
using step_of_gelus = tl::trainer<decltype(gelus<float>), Rule>::step_program;

}  // namespace

TEST_CASE("launch_groups: products of 16 bits take GELUs along, and what their gradients are taken of") {
  using gelu_step =
      step_of_gelus<decltype(tl::mixed_precision<tl::bf16>(tl::adam({.learning_rate = 1e-3f})))>;
  STATIC_REQUIRE(count_epilogues<gelu_step>(k::activation::gelu) == 2);
  STATIC_REQUIRE(count_epilogues<gelu_step>(k::activation::gelu_gradient) == 2);
  int kept = 0;
  for (const k::epilogue& e : k::epilogues_of<gelu_step>) kept += e.argument >= 0 ? 1 : 0;
  CHECK(kept == 4);
  using forward = graph_builder_of<decltype(gelus<tl::f16>)>;  // without gradients nothing is kept
  STATIC_REQUIRE(count_epilogues<forward>(k::activation::gelu) == 2);
  for (const k::epilogue& e : k::epilogues_of<forward>) CHECK(e.argument < 0);
}

TEST_CASE("launch_groups: products of float take no GELU along, whose tanh is too coarse there") {
  using gelu_step = step_of_gelus<decltype(tl::adam({.learning_rate = 1e-3f}))>;
  using forward = graph_builder_of<decltype(gelus<float>)>;
  for (const k::activation then : {k::activation::gelu, k::activation::gelu_gradient}) {
    CHECK(count_epilogues<gelu_step>(then) == 0);
    CHECK(count_epilogues<forward>(then) == 0);
  }
}

TEST_CASE("launch_groups: every fused kernel is in one group, and no group reaches beyond its neighbours") {
  int fused_kernels = 0;
  for (const k::launch_group& g : k::launch_groups_of<network_step>) fused_kernels += g.count;
  for (const k::epilogue& e : k::epilogues_of<network_step>) fused_kernels += e.exists ? 1 : 0;
  CHECK(fused_kernels == static_cast<int>(tl::plan_of<network_step>.fused_kernels.size()));
}

namespace {

// The classifier of the README.
constexpr auto classifier = [] {
  auto x = tl::input<"x", float, rows, 784>;
  auto y = tl::input<"y", std::int32_t, rows>;
  auto logits = tl::linear<"fc2", 10>(tl::relu(tl::linear<"fc1", 500>(x)));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};
using classifier_step =
    tl::trainer<decltype(classifier), decltype(tl::adamw({.learning_rate = 1e-3f}))>::step_program;

}  // namespace

TEST_CASE("launch_groups: a step of the classifier takes as many launches as the README says") {
  STATIC_REQUIRE(tl::plan_of<classifier_step>.commands.size() == 27);
  STATIC_REQUIRE(launches<classifier_step>() == 12);
}

namespace {

// Reads some rows of a product, all of its columns.
constexpr auto first_rows = [] {
  auto x = tl::input<"x", float, 8, 4>;
  auto w = tl::input<"w", float, 4, 8>;
  return tl::relu(tl::slice<0, 0, 3>(tl::matmul(x, w)));
};
// Two fused kernels read a product.
constexpr auto read_twice = [] {
  auto y = tl::matmul(tl::input<"x", float, 8, 4>, tl::input<"w", float, 4, 8>);
  return tl::outputs(tl::named<"all">(tl::relu(y)), tl::named<"biased">(y + tl::input<"bias", float, 8>));
};
// Of a batch of products.
constexpr auto batched = [] {
  auto y = tl::matmul(tl::input<"x", float, 5, 8, 4>, tl::input<"w", float, 5, 4, 8>);
  return tl::relu(y + tl::input<"bias", float, 8>);
};

template <class GraphBuilder>
constexpr bool takes_any_along() {
  for (const k::epilogue& e : k::epilogues_of<GraphBuilder>)
    if (e.exists) return true;
  return false;
}

}  // namespace

TEST_CASE(
    "launch_groups: a product takes no fused kernel along that does less than it, or is not all that reads "
    "it") {
  STATIC_REQUIRE(tl::plan_of<graph_builder_of<decltype(first_rows)>>.products.size() == 1);
  STATIC_REQUIRE(!takes_any_along<graph_builder_of<decltype(first_rows)>>());
  STATIC_REQUIRE(tl::plan_of<graph_builder_of<decltype(read_twice)>>.products.size() == 1);
  STATIC_REQUIRE(!takes_any_along<graph_builder_of<decltype(read_twice)>>());
  STATIC_REQUIRE(takes_any_along<graph_builder_of<decltype(batched)>>());
}
