// SPDX-License-Identifier: BSL-1.0
// How the cotangent of a weight that all iterations of a loop share is added up: after the loop by one
// product of what the iterations saved where that is no more than the weight, else in each iteration.
#include "catch.hpp"
#include "value_graph.hpp"

namespace {

enum class sum_by { carry, one_product, neither };

// h becomes h * w, of so many rows and columns, five times.
constexpr sum_by gradient_of_weight(tl::extent row_extent, std::int64_t columns) {
  tl::graph g;
  const std::int64_t rows = g.extents.number(row_extent);
  const tl::value x = test::input<"x">(g, {rows, columns}), w = test::parameter<"w">(g, {columns, columns});
  g.open_region({5, false, false});
  const int h = g.carry(x.id);
  g.set_next(h, matmul(tl::value{&g, h}, w).id);
  g.region = 0;
  tl::list<int> wrt, cotangents;
  wrt.push(w.id);
  const tl::value y = test::sum(tl::value{&g, g.last_value(h)});
  tl::reverse(y, tl::make_constant(g, 1, y.type()), wrt, cotangents);
  const tl::value c{&g, cotangents[0]};
  if (g.failed() || c.get().region != 0 || !(shape_of(c) == shape_of(w))) return sum_by::neither;
  if (c.is(tl::family::product)) return sum_by::one_product;
  return c.get().op == &tl::graph::last_operation ? sum_by::carry : sum_by::neither;
}

// Each iteration would save the carry and its cotangent, [rows, columns] each, for a weight [columns,
// columns].
static_assert(gradient_of_weight(1, 8) == sum_by::one_product);
static_assert(gradient_of_weight(4, 8) == sum_by::one_product);
static_assert(gradient_of_weight(9, 8) == sum_by::carry);

// How many rows there will be is not known.
static_assert(gradient_of_weight(tl::dyn<"batch">, 8) == sum_by::carry);

}  // namespace

TEST_CASE("sums over iterations are constants") { SUCCEED(); }
