// SPDX-License-Identifier: BSL-1.0
// The backward graph: no more nodes than needed, sums where a node is used several times, and errors by name.
#include "catch.hpp"
#include "value_graph.hpp"

#include <tapeless/ops/base/stop_gradient.hpp>

namespace {

struct differentiated {
  tl::graph& g;
  tl::list<int> wrt, cotangents;
  constexpr explicit differentiated(tl::graph& builder) : g(builder) {}
  constexpr tl::value by(tl::value y, tl::value x) {
    wrt.clear();
    wrt.push(x.id);
    tl::reverse(y, tl::make_constant(g, 1, y.type()), wrt, cotangents);
    return cotangents[0] < 0 ? tl::value{} : tl::value{&g, cotangents[0]};
  }
};

// How many nodes the derivative of f(x) by x adds to the graph.
template <class F>
constexpr int added(F f) {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {3}), y = f(x);
  const int before = g.nodes.size();
  differentiated d(g);
  return d.by(y, x).exists() ? g.nodes.size() - before : -1;
}

// exp is its own derivative: the seed, views of it and of the sum, and one product are all that is added.
static_assert(added([](tl::value x) { return test::sum(exp(x)); }) == 5);

// The cotangents of what is not asked for are not built.
static_assert(added([](tl::value x) { return test::sum(x * exp(sin(test::input<"z">(*x.builder, {3})))); }) ==
              5);

// Zero derivatives are pruned, and all that only they would have needed.
static_assert(added([](tl::value x) { return test::sum(floor(exp(x))); }) == -1);
static_assert(added([](tl::value x) { return test::sum(stop_gradient(exp(x))); }) == -1);
static_assert(added([](tl::value x) { return test::sum(sign(x)); }) == -1);
static_assert(added([](tl::value x) {
                return test::sum(cast(cast(x, tl::element::i32), tl::element::f32));
              }) == -1);
static_assert(added([](tl::value x) { return test::sum(exp(x) + floor(tanh(x))); }) == 5);

// A node that is used several times gets the sum of its cotangents, with one addition.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {3}), y = test::sum(exp(x) * sin(x));
  differentiated d(g);
  const tl::value c = d.by(y, x);
  return c.is(tl::operation_of<tl::add_operation>) && test::count(g, "+") == 1 && shape_of(c) == shape_of(x);
}());

// A broadcast operand's cotangent is summed over what broadcasting added.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {4, 3}), row = test::input<"row">(g, {3});
  differentiated d(g);
  const tl::value c = d.by(test::sum(x * row), row);
  return c.is(tl::reduction_kind::sum) && tl::axes_of(c.get()) == 1 && shape_of(c) == shape_of(row);
}());

// A weight's gradient comes out in the weight's own layout: no transposed copy.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {8, 4}), w = test::parameter<"w">(g, {5, 4});
  differentiated d(g);
  const tl::value c = d.by(test::sum(square(matmul(x, transpose_last(w)))), w);
  return c.is(tl::family::product) && shape_of(c) == shape_of(w) && c.operand(0).is(tl::view_kind::permute) &&
         c.operand(1).id == x.id;
}());

// Second derivatives build on the first: d2/dx2 of sum(x^2) does not depend on x.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {3});
  differentiated d(g);
  const tl::value first = d.by(test::sum(square(x)), x), second = d.by(test::sum(first), x);
  return second.exists() && test::count(g, "square") == 1;
}());

// Forward mode: a tangent where there is a path, none where the derivative is zero.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {3}), v = test::input<"v">(g, {3}), z = test::input<"z">(g, {3});
  const tl::value t = tl::forward(sin(x) * z, x, v);
  return t.exists() && shape_of(t) == shape_of(x) && !tl::forward(floor(x), x, v).exists() &&
         !tl::forward(sin(z), x, v).exists() && tl::forward(x, x, v).id == v.id;
}());

// What is linear carries its tangent itself, without a transposed formula.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2, 3}), v = test::input<"v">(g, {2, 3}),
                  w = test::input<"w">(g, {3, 2});
  const tl::value t = tl::forward(matmul(x, w), x, v);
  return t.is(tl::family::product) && t.operand(0).id == v.id;
}());

constexpr tl::operation opaque{"opaque", tl::family::pointwise};

}  // namespace

TEST_CASE("the backward graph is a constant") { SUCCEED(); }

TEST_CASE("an operation without a derivative in the path is an error that names it") {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {3});
  tl::node n = x.get();
  n.op = &opaque;
  n.label = nullptr;
  n.operand_count = 1;
  n.operands[0] = x.id;
  const tl::value y = test::sum(x.insert(n));
  SECTION("in reverse mode") {
    differentiated d(g);
    d.by(y, x);
    CHECK(std::string(g.error.view()) == "a derivative is asked for through opaque, which has none");
  }
  SECTION("in forward mode") {
    tl::forward(y, x, x);
    CHECK(std::string(g.error.view()) == "a derivative is asked for through opaque, which has none");
  }
  SECTION("not where no derivative flows") {
    differentiated d(g);
    d.by(test::sum(exp(x)) + stop_gradient(y), x);
    CHECK_FALSE(g.failed());
  }
}
