// SPDX-License-Identifier: BSL-1.0
// Which reductions share a kernel, and that they compute what they did alone.
#include <tapeless/plan/fuse_sums.hpp>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "value_graph.hpp"

namespace {

/// How many kernels there are.
constexpr int groups(const tl::graph& g, int largest = tl::max_group_size) {
  tl::list<int> group;
  tl::fuse(g, largest, group);
  tl::fuse_sums(g, largest, group);
  int n = 0;
  for (int i = 0; i < group.size(); ++i) n += group[i] == i ? 1 : 0;
  return n;
}
constexpr void output(tl::value v) { v.builder->outputs.push({v.id, nullptr}); }

// The gradients of a norm's bias and weight.
constexpr int groups_of_norm(int largest) {
  tl::graph g;
  const tl::value slope = test::input<"slope">(g, {9, 4}), x = test::input<"x">(g, {9, 4});
  output(tl::sum<0>(slope));
  output(tl::sum<0>(slope * x));
  return groups(g, largest);
}
static_assert(groups_of_norm(tl::max_group_size) == 1);
static_assert(groups_of_norm(2) == 2);  // three would be too many

// Where none reads all that the other one reads, something would have to be kept for longer.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {9, 4}), y = test::input<"y">(g, {9, 4});
  output(tl::sum<0>(x));
  output(tl::sum<0>(y));
  return groups(g);
}() == 2);

// Other axes or other extents are other loops.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {9, 4});
  output(tl::sum<0>(x));
  output(tl::sum<1>(x * x));
  return groups(g);
}() == 2);

// The first one cannot wait for one that reads it.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {9, 4}), sum = tl::sum<0>(x);
  output(tl::sum<0>(x * tl::expand(sum, tl::shape_of(x))));
  return groups(g);
}() == 2);

// A bias gradient is left to the product that reads the same.
static_assert([] {
  tl::graph g;
  const tl::value slope = test::input<"slope">(g, {9, 4}), x = test::input<"x">(g, {9, 4});
  output(tl::sum<0>(slope));
  output(tl::sum<0>(slope * x));
  output(matmul(transpose_last(slope), x));
  return groups(g);
}() == 2);

constexpr auto sums = [] {
  auto x = tl::input<"x", float, tl::dyn<"rows">, 33>;
  auto y = tl::input<"y", float, tl::dyn<"rows">, 33>;
  return tl::outputs(tl::named<"plain">(tl::sum<0>(x)), tl::named<"weighted">(tl::sum<0>(x * y)),
                     tl::named<"largest">(tl::max<0>(x)), tl::named<"all">(tl::sum(x)),
                     tl::named<"squares">(tl::sum(tl::square(x) * y)));
};

template <class Policy>
void compare() {
  tl::function f{sums, Policy{}};
  for (const std::size_t rows : {1u, 7u, 40u, 3000u}) {
    const auto x = test::numbers(3).vector<float>(rows * 33), y = test::numbers(4).vector<float>(rows * 33);
    const auto r = f("x"_t = x, "y"_t = y);
    std::vector<double> plain(33), weighted(33), largest(33, -INFINITY);
    double all = 0, squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double a = x[i], b = y[i];
      plain[i % 33] += a, weighted[i % 33] += a * b, all += a, squares += a * a * b;
      largest[i % 33] = std::max(largest[i % 33], a);
    }
    const auto near = [&](double found, double expected) {
      CHECK(std::abs(found - expected) <= 1e-5 * (1 + static_cast<double>(rows)));
    };
    for (std::size_t i = 0; i < 33; ++i) {
      near(r.template get<"plain">()[i], plain[i]);
      near(r.template get<"weighted">()[i], weighted[i]);
      CHECK(r.template get<"largest">()[i] == static_cast<float>(largest[i]));
    }
    near(r.template get<"all">()[0], all);
    near(r.template get<"squares">()[0], squares);
  }
}

}  // namespace

TEST_CASE("fuse_sums: sums of one kernel are those of several") {
  test::on_each_policy([]<class Policy> { compare<Policy>(); });
}
