// SPDX-License-Identifier: BSL-1.0
// Fused kernels over the same rows give in one launch what they give one by one.
#include <tapeless/run/gpu/kernels/rows.hpp>

#include <tapeless/run/gpu/launch/launch_groups.hpp>

#include "run/gpu/both.hpp"

namespace {

constexpr auto rows = tl::dyn<"rows">;

template <int Columns>
struct row_functions {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, rows, Columns>;
    auto y = tl::softmax(x);
    auto z = tl::layer_norm<"n">(x);
    return tl::outputs(tl::named<"softmax">(y), tl::named<"norm">(z), tl::named<"log">(tl::log_softmax(x)),
                       tl::named<"slope">(tl::grad(tl::sum(y * z), x)));
  }
};

// Attention's rows are as long as a run-time extent, of which their number is a multiple.
struct scores {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, 2, rows, rows>;
    return tl::outputs(tl::named<"y">(tl::softmax(x)));
  }
};

template <class Model>
constexpr bool has_rows() {
  for (const auto& g : tl::thrust_kernels::launch_groups_of<tl::ready<tl::forward_graph_builder<Model>>>)
    if (g.kind == tl::thrust_kernels::grouping::rows) return true;
  return false;
}

template <int Columns>
void compare() {
  STATIC_REQUIRE(has_rows<row_functions<Columns>>());
  test::both<row_functions<Columns>> f;
  for (const int r : {0, 1, 5, 70}) {
    const auto x = test::numbers(9).vector(test::count(r, Columns), -3, 3);
    INFO(r << " rows of " << Columns);
    CHECK(f.template differ<"softmax", "norm", "log", "slope">("x"_t = x, "rows"_t = std::int64_t{r}) <
          1e-12);
  }
}

}  // namespace

TEST_CASE("rows: short rows by warps, long ones by blocks") {
  compare<10>();
  compare<33>();
  compare<1500>();
}

TEST_CASE("rows: of run-time length") {
  STATIC_REQUIRE(has_rows<scores>());
  test::both<scores> f;
  for (const int n : {1, 3, 40}) {
    const auto x = test::numbers(3).vector(test::count(2 * n, n), -2, 2);
    CHECK(f.differ<"y">("x"_t = x, "rows"_t = std::int64_t{n}) < 1e-14);
  }
}
