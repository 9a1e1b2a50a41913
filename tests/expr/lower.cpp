// SPDX-License-Identifier: BSL-1.0
// From the chain to the graph: signatures, parameters with their initial values, and outputs.
#include "catch.hpp"

#include <string>
#include <string_view>

#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/lower.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

struct signature_values {
  tl::element type;
  tl::shape_list shape;
};
template <class Chain, tl::element Type, class Derived, std::int64_t... Shape>
constexpr signature_values signature(tl::expr<Chain, tl::tensor<Type, Derived, Shape...>>) {
  return {Type, {sizeof...(Shape), {Shape...}}};
}
template <class Model>
constexpr auto& graph_of(Model) {
  return tl::constant_graph_of<tl::lower<Model>>;
}

// A statement's signature: element type and shape, with run-time extents.
constexpr auto x = tl::input<"x", float, batch, 3>;
static_assert(signature(x).type == tl::element::f32 && signature(x).shape.rank == 2);
static_assert(signature(x).shape.extents[0] < 0 && signature(x).shape.extents[1] == 3);
static_assert(signature(tl::sum<1>(x)).shape.rank == 1 && signature(tl::sum(x)).shape.rank == 0);
static_assert(signature(x < 0_c).type == tl::element::boolean);
static_assert(signature(tl::cast<double>(x)).type == tl::element::f64);
static_assert(signature(2_c * 3_c).type == tl::element::number);
static_assert(signature(tl::reshape<3, batch>(x)).shape.extents[0] == 3);

// Initial values go with their parameters, in whichever order chains are joined.
constexpr auto a = tl::param<"a", float, 2>(tl::fill(1));
constexpr auto b = tl::param<"b", float, 2>(tl::uniform(2));
constexpr auto c = tl::param<"c", float, 2>;
constexpr auto d = tl::param<"d", float, 2>(tl::normal(4));

constexpr double start(const auto& graph, const tl::name& label) {
  for (const tl::node& n : graph.nodes)
    if (n.op->kind == tl::family::parameter && *n.label == label)
      return graph.initializers[static_cast<std::size_t>(tl::initializer_number(n))].value;
  return -1;
}
constexpr bool starts_right(const auto& graph) {
  return start(graph, "a") == 1 && start(graph, "b") == 2 && start(graph, "c") == 0 && start(graph, "d") == 4;
}
static_assert(starts_right(graph_of([] { return tl::exp(a) + tl::sin(tl::sin(b)) + c * d; })));
static_assert(starts_right(graph_of([] { return (d - c) * tl::exp(b + tl::exp(a * d)); })));
static_assert(starts_right(graph_of([] { return tl::outputs(tl::sum(b), tl::named<"o">((c + a) / d)); })));
static_assert(starts_right(graph_of([] { return tl::where(b < c, tl::tanh(tl::tanh(d)), a); })));

// Parameters are numbered as the model mentions them.
static_assert([] {
  constexpr auto& g = graph_of([] { return tl::linear<"two", 1>(tl::linear<"one", 4>(x)); });
  int next = 0;
  const char* labels[] = {"one.weight", "one.bias", "two.weight", "two.bias"};
  for (const tl::node& n : g.nodes)
    if (n.op->kind == tl::family::parameter) {
      if (tl::parameter_number(n) != next || n.label->view() != labels[next]) return false;
      ++next;
    }
  return next == 4;
}());

// Output 0 is the loss, or the only value; the others have names.
constexpr auto& several = graph_of(
    [] { return tl::outputs(tl::sum(x), tl::named<"y">(tl::exp(x)), tl::named<"z">(tl::named<"w">(x))); });
static_assert(several.outputs.size() == 4 && several.outputs[0].label == nullptr);
static_assert(several.nodes[static_cast<std::size_t>(several.outputs[0].node)].op->name == "sum");

// An expression that is made wrongly is reported at its own statement, and what takes it stays silent.
static_assert(tl::is_erroneous<tl::erroneous> && !tl::is_erroneous<decltype(x)>);
static_assert(std::is_same_v<decltype(tl::exp(tl::erroneous{})), tl::erroneous>);
static_assert(std::is_same_v<decltype(tl::erroneous{} + x), tl::erroneous>);
static_assert(std::is_same_v<decltype(tl::outputs(x, tl::named<"e">(tl::erroneous{}))), tl::erroneous>);
static_assert(std::is_same_v<decltype(tl::grad(tl::erroneous{}, x)), tl::erroneous>);
static_assert(tl::expression<decltype(x)> && tl::expression<decltype(c)> && !tl::expression<int>);

// A loop and a mask that stand in several chains, which begin with other statements, are made once.
constexpr auto shared = [] {
  auto x = tl::input<"x", float, 5, 4>;
  auto w = tl::param<"w", float, 4>;
  auto [last, stacked] = tl::scan(
      [](auto h, auto y) {
        auto next = tl::tanh(h + y);
        return tl::pack(next, next);
      },
      tl::exp(w), x);
  auto masked = tl::dropout<0.5>(x);
  return tl::outputs(tl::sum(tl::exp(tl::exp(x * w))), tl::named<"stacked">(stacked), tl::named<"last">(last),
                     tl::named<"masked">(tl::sin(masked) * x), tl::named<"mask">(masked));
};
static_assert(graph_of(shared).regions.size() == 1);
static_assert(graph_of(shared).random_streams == 1);

// A model at values of its extents has the graph of one that is written with them.
template <tl::extent Batch>
constexpr auto mean_of_rows = [] {
  auto rows = tl::softmax(tl::input<"rows", float, Batch, 3>);
  return tl::mean(tl::reshape<Batch, 3>(rows + tl::sum<0>(rows)));
};
template <tl::extent Batch>
using rows_type = std::remove_const_t<decltype(mean_of_rows<Batch>)>;
constexpr auto& at_two = tl::constant_graph_of<tl::lower<tl::model_at<rows_type<batch>, 2>>>;
constexpr auto& of_two = tl::constant_graph_of<tl::lower<rows_type<tl::extent(2)>>>;
static_assert(at_two.extents.size() == 0 && at_two.nodes.size() == of_two.nodes.size());
static_assert([] {
  for (std::size_t i = 0; i < of_two.nodes.size(); ++i)
    if (!(at_two.nodes[i] == of_two.nodes[i])) return false;
  return true;
}());

// Outputs are in the order in which the model lists them, not in that in which they are computed.
constexpr auto listed = [] {
  auto r = tl::relu(tl::input<"x", float, batch, 3>);
  auto y = tl::tanh(tl::linear<"fc", 2>(r));
  return tl::outputs(tl::named<"y">(y), tl::named<"r">(r), tl::named<"n">(tl::sum(r)), tl::named<"again">(r));
};
constexpr bool is_called(std::size_t i, std::string_view label) {
  return graph_of(listed).outputs[i].label->view() == label;
}
static_assert(is_called(1, "y") && is_called(2, "r") && is_called(3, "n") && is_called(4, "again"));

}  // namespace

TEST_CASE("lowering is a constant") { SUCCEED(); }

TEST_CASE("a sentence about a statement has its shapes") {
  tl::graph g;
  const tl::value left = tl::make_input(g, &tl::interned<"l">, tl::element::f32, {1, {3}});
  const tl::value right = tl::make_input(g, &tl::interned<"r">, tl::element::f32, {1, {4}});
  CHECK((left + right).exists());
  CHECK(std::string(g.error.view()) ==
        "+ got operands of the shapes [3] and [4], which do not fit: seen from the last axis, two extents "
        "must be "
        "equal or one of them 1");
}
