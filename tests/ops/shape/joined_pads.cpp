// SPDX-License-Identifier: BSL-1.0
// What slices' cotangents add up to: put end to end where they meet, added within zeros elsewhere.
#include "catch.hpp"
#include "program.hpp"
#include "value_graph.hpp"

#include <tapeless/graph/transform/prune.hpp>

namespace {

struct shape_of_sum {
  int pads, sums, concats;
  friend constexpr bool operator==(const shape_of_sum&, const shape_of_sum&) = default;
};

// What the gradient needs of the sum of exp over slices of ten elements: begin, count, begin, count, ...
template <int... Bounds>
constexpr shape_of_sum gradient_of_slices() {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2, 10});
  const int bounds[] = {Bounds...};
  tl::value y;
  for (unsigned i = 0; i < sizeof...(Bounds); i += 2) {
    const tl::value part = test::sum(exp(tl::slice(x, 1, bounds[i], 1, bounds[i + 1])));
    y = y.exists() ? y + part : part;
  }
  g.outputs.push({tl::detail::cotangent("grad", y, x, tl::make_constant(g, 1, x.type())).id, nullptr});
  tl::graph needed;
  tl::prune(g, needed);
  return {test::count(needed, "pad"), test::count(needed, "+"), test::count(needed, "concat")};
}

static_assert(gradient_of_slices<0, 5, 5, 5>() == shape_of_sum{0, 0, 1});
static_assert(gradient_of_slices<5, 5, 0, 5>() == shape_of_sum{0, 0, 1});
static_assert(gradient_of_slices<0, 2, 2, 3, 5, 1, 6, 4>() == shape_of_sum{0, 0, 1});
static_assert(gradient_of_slices<0, 2, 2, 2, 4, 2, 6, 2, 8, 2>() == shape_of_sum{0, 0, 2});
static_assert(gradient_of_slices<1, 3, 4, 3>() == shape_of_sum{1, 0, 1});
static_assert(gradient_of_slices<0, 4, 5, 5>() == shape_of_sum{2, 1, 0});  // a gap
static_assert(gradient_of_slices<0, 6, 5, 5>() == shape_of_sum{2, 1, 0});  // an overlap
static_assert(gradient_of_slices<0, 10, 0, 5>() == shape_of_sum{1, 1, 0});

constexpr auto n = tl::dyn<"n">;

constexpr auto slices = [] {
  auto x = tl::input<"x", double, n, 7>;
  const auto part = [&]<int Begin, int End>(auto weight) {
    return tl::sum(weight * tl::square(tl::slice<1, Begin, End>(x)));
  };
  auto rows =
      tl::sum(tl::square(tl::slice<0, 0, 1>(x))) + tl::sum(3_c * tl::square(tl::slice<0, 1, tl::to_end>(x)));
  return tl::outputs(
      tl::named<"meet">(tl::grad(part.operator()<0, 3>(1_c) + part.operator()<3, 7>(2_c), x)),
      tl::named<"five">(tl::grad(part.operator()<4, 5>(5_c) + part.operator()<0, 1>(1_c) +
                                     part.operator()<5, 7>(6_c) + part.operator()<1, 2>(2_c) +
                                     part.operator()<2, 4>(3_c),
                                 x)),
      tl::named<"overlap">(tl::grad(part.operator()<0, 4>(1_c) + part.operator()<3, 7>(2_c), x)),
      tl::named<"rows">(tl::grad(rows, x)));
};

}  // namespace

TEST_CASE("gradients of slices that meet, that overlap, and of run-time extents") {
  tl::function f{slices};
  const double meet[] = {1, 1, 1, 2, 2, 2, 2}, five[] = {1, 2, 3, 3, 5, 6, 6},
               overlap[] = {1, 1, 1, 3, 2, 2, 2};
  for (const std::size_t rows : {1u, 2u, 9u}) {
    const auto x = test::numbers().vector(7 * rows);
    auto r = f("x"_t = x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(r.get<"meet">()[i] == test::Approx(2 * x[i] * meet[i % 7]));
      CHECK(r.get<"five">()[i] == test::Approx(2 * x[i] * five[i % 7]));
      CHECK(r.get<"overlap">()[i] == test::Approx(2 * x[i] * overlap[i % 7]));
      CHECK(r.get<"rows">()[i] == test::Approx(2 * x[i] * (i < 7 ? 1 : 3)));
    }
  }
}
