// SPDX-License-Identifier: BSL-1.0
// Which differences are computed again by each kernel that reads them, and that the values are the same.
#include <tapeless/plan/repeat_differences.hpp>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "value_graph.hpp"

namespace {

/// How many nodes are computed by those that read them.
constexpr int repeated(tl::graph& g, int largest = tl::max_group_size) {
  tl::list<int> group;
  tl::fuse(g, largest, group);
  tl::fuse_sums(g, largest, group);
  tl::repeat_differences(g, largest, group);
  int n = 0;
  for (int i = 0; i < group.size(); ++i) n += group[i] == tl::computed_by_readers ? 1 : 0;
  return n;
}
constexpr void output(tl::value v) { v.builder->outputs.push({v.id, nullptr}); }

// x less its mean: the variance and the result read it.
constexpr int repeated_in_norm(int largest) {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {9, 4}), c = x - test::input<"mean">(g, {9, 1});
  output(c / tl::sqrt(tl::sum<1>(tl::square(c), tl::keep_dims)));
  return repeated(g, largest);
}
static_assert(repeated_in_norm(tl::max_group_size) == 1);
static_assert(repeated_in_norm(1) == 0);  // nothing is fused

// Where one kernel reads it, it is a part of that one.
static_assert([] {
  tl::graph g;
  const tl::value c = test::input<"x">(g, {9, 4}) - test::input<"mean">(g, {9, 1});
  output(tl::sum<1>(tl::square(c)));
  return repeated(g);
}() == 0);

// What is wanted is in memory. So is what takes longer, and a difference of two large operands.
static_assert([] {
  tl::graph g;
  const tl::value c = test::input<"x">(g, {9, 4}) - test::input<"mean">(g, {9, 1});
  output(c);
  output(c / tl::sqrt(tl::sum<1>(tl::square(c), tl::keep_dims)));
  return repeated(g);
}() == 0);
static_assert([] {
  tl::graph g;
  const tl::value e = tl::exp(test::input<"x">(g, {9, 4}));
  output(e / tl::sum<1>(e, tl::keep_dims));
  const tl::value c = test::input<"y">(g, {9, 4}) - test::input<"z">(g, {9, 4});
  output(c / tl::sum<1>(c, tl::keep_dims));
  return repeated(g);
}() == 0);

// A product reads memory, and a difference of what a product computes may become a part of it.
static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {9, 4}), w = test::input<"w">(g, {4, 4}),
                  b = test::input<"b">(g, {4});
  const tl::value c = x - b, d = matmul(x, w) - b;
  output(matmul(c, w));
  output(c / tl::sum<1>(c, tl::keep_dims));
  output(d / tl::sum<1>(d, tl::keep_dims));
  return repeated(g);
}() == 0);

constexpr auto centered = [] {
  auto x = tl::input<"x", float, tl::dyn<"rows">, 33>;
  auto c = x - tl::mean<1>(x, tl::keep_dims);
  return tl::outputs(tl::named<"ratio">(c / tl::sum<1>(tl::square(c), tl::keep_dims)),
                     tl::named<"slope">(tl::grad(tl::sum(tl::log_softmax(x) * x), x)));
};

}  // namespace

TEST_CASE("repeat_differences: differences that readers compute are those of memory") {
  test::on_each_policy([]<class Policy> {
    tl::function f{centered, Policy{}};
    for (const std::size_t rows : {1u, 7u, 300u}) {
      const auto x = test::numbers(3).vector<float>(rows * 33);
      const auto r = f("x"_t = x);
      for (std::size_t i = 0; i < rows; ++i) {
        const float* row = &x[i * 33];
        double mean = 0, squares = 0, log_sum = 0, total = 0;
        for (int k = 0; k < 33; ++k) mean += row[k] / 33., log_sum += std::exp(row[k]), total += row[k];
        log_sum = std::log(log_sum);
        for (int k = 0; k < 33; ++k) squares += (row[k] - mean) * (row[k] - mean);
        for (std::size_t k = 0; k < 33; ++k) {
          CHECK(std::abs(r.template get<"ratio">()[i * 33 + k] - (row[k] - mean) / squares) < 1e-5);
          const double slope = 2 * row[k] - log_sum - std::exp(row[k] - log_sum) * total;
          CHECK(std::abs(r.template get<"slope">()[i * 33 + k] - slope) < 1e-4);
        }
      }
    }
  });
}
