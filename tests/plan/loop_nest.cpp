// SPDX-License-Identifier: BSL-1.0
// The order of a fused kernel's loops.
#include <tapeless/plan/make_schedule.hpp>

#include "catch.hpp"
#include "value_graph.hpp"

namespace {

struct order {
  std::int64_t extents[3] = {}, read[3] = {}, written[3] = {};
  friend constexpr bool operator==(const order&, const order&) = default;
};

/// The loops that copy [rows, columns], seen otherwise.
template <class View>
constexpr order order_of(std::int64_t rows, std::int64_t columns, View view) {
  tl::graph g;
  tl::schedule s;
  const tl::value x = test::input<"x">(g, {rows, columns});
  tl::insert_copy(g, view(x).id, 0);
  tl::list<int> group;
  group.assign(g.nodes.size(), -1);
  group[g.nodes.size() - 1] = g.nodes.size() - 1;
  tl::make_schedule(g, group, {}, s);
  order o;
  const tl::planned_fused_kernel& p = s.fused_kernels[0];
  for (int d = 0; d < p.rank; ++d) {
    o.extents[d] = p.extents[d];
    o.read[d] = s.loads[p.first_load].place.strides[d];
    o.written[d] = s.stores[p.first_store].place.strides[d];
  }
  return o;
}

constexpr auto transposed = [](tl::value x) { return transpose_last(x); };

// Neighbours that all operands step through alike are one loop.
static_assert(order_of(5, 6, [](tl::value x) { return x; }) == order{{30}, {1}, {1}});
static_assert(order_of(5, 6, transposed) == order{{6, 5}, {1, 6}, {5, 1}});

// A loop of a few iterations is not the innermost one where a long one reads contiguous elements.
static_assert(order_of(4, 16, transposed) == order{{4, 16}, {16, 1}, {1, 4}});
static_assert(order_of(4, 6, transposed) == order{{6, 4}, {1, 6}, {4, 1}});

}  // namespace

TEST_CASE("the loops of a fused kernel are as few and as long as may be") { SUCCEED(); }
