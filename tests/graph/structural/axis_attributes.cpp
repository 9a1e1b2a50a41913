// SPDX-License-Identifier: BSL-1.0
// What operations along axes carry is what they were built with.
#include "catch.hpp"
#include "value_graph.hpp"

#include <tapeless/graph/structural/axis_attributes.hpp>

namespace {

constexpr int forward[] = {1, 2, 0};

// Calls f with a value [2, 3, 4].
constexpr auto of_values(auto f) {
  tl::graph g;
  return f(test::input<"x">(g, {2, 3, 4}));
}

static_assert(of_values([](tl::value x) {
  const tl::node& n = permute(x, forward).get();
  return permuted_axis(n, 0) == 1 && permuted_axis(n, 1) == 2 && permuted_axis(n, 2) == 0;
}));

// A slice and a pad that is its transpose carry the same places.
constexpr bool are(const tl::slice_places& s, int axis, std::int64_t begin, std::int64_t step) {
  return s.axis == axis && s.begin == begin && s.step == step;
}
static_assert(of_values([](tl::value x) {
  const tl::value part = slice(x, 2, 1, 2, 2);
  return are(slice_of(part.get()), 2, 1, 2) && are(slice_of(pad(part, 2, 1, 2, 4).get()), 2, 1, 2);
}));

static_assert(of_values([](tl::value x) {
  const tl::value two[] = {x, x};
  return axis_of(concat(two, 2, 1).get()) == 1 && axis_of(flip(x, 2).get()) == 2 &&
         axis_of(tl::make_iota(*x.builder, shape_of(x), 2, tl::element::i64).get()) == 2;
}));
static_assert(of_values([](tl::value x) {
  const tl::value index = test::input<"index">(*x.builder, {2, 3, 4}, tl::element::i64);
  return axis_of(gather(x, 1, index).get()) == 1 &&
         axis_of(scatter_add(index, x, 2, {3, {2, 3, 9}}).get()) == 2;
}));

static_assert(of_values([](tl::value x) {
  return axes_of(tl::sum_operation::build(x, 5, false).get()) == 5 &&
         axes_of(tl::max_reduction_operation::build(x, 2, false).get()) == 2;
}));

static_assert(of_values([](tl::value x) {
  const tl::scan_places first = prefix_scan_of(cumulative_sum(x, 1, false).get()),
                        last = prefix_scan_of(cumulative_sum(x, 2, true).get());
  return first.axis == 1 && !first.from_the_end && last.axis == 2 && last.from_the_end;
}));

}  // namespace

TEST_CASE("axes are constants") { SUCCEED(); }
