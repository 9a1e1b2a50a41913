// SPDX-License-Identifier: BSL-1.0
// Fused kernels over the same rows give in one launch what they give one by one.
#include <tapeless/run/gpu/kernels/rows.hpp>

#include <tapeless/run/gpu/launch/launch_groups.hpp>

#include <span>
#include <utility>
#include <vector>

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

namespace {

struct rows_of_16_bits {
  constexpr auto operator()() const {
    auto x = tl::input<"x", tl::bf16, rows, tl::dyn<"columns">>;
    return tl::outputs(tl::named<"softmax">(tl::softmax(x)), tl::named<"log">(tl::log_softmax(x)));
  }
};

}  // namespace

TEST_CASE("rows: neighbours at a time, where all rows start at multiples of 16 bytes, and else one by one") {
  test::both<rows_of_16_bits> f;
  for (const int columns : {8, 20, 72, 1032, 2056})
    for (const std::size_t first : {0u, 1u}) {  // of an array that starts there
      INFO(columns << " columns from element " << first);
      const auto x = test::numbers(9).vector<tl::bf16>(first + test::count(5, columns), -3, 3);
      const std::span<const tl::bf16> part = std::span(x).subspan(first);
      CHECK(f.differ<"softmax", "log">("x"_t = part, "rows"_t = std::int64_t{5},
                                       "columns"_t = std::int64_t{columns}) < 0.04);
    }
}

namespace {

// The mask's rows are behind one another, or parts of longer ones: rows of x and queries are one loop, or
// two.
template <int MaskColumns>
struct masked {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, rows, 3, 8, 16>;
    auto mask = tl::slice<1, 0, 16>(tl::input<"mask", bool, 8, MaskColumns>);
    auto y = tl::softmax(tl::where(mask, x, -1e9_c));
    return tl::outputs(tl::named<"y">(y), tl::named<"slope">(tl::grad(tl::sum(y * tl::sin(x)), x)));
  }
};

template <int MaskColumns>
void compare_masked() {
  STATIC_REQUIRE(has_rows<masked<MaskColumns>>());
  test::both<masked<MaskColumns>> f;
  const auto x = test::numbers(3).vector<float>(test::count(5 * 3 * 8, 16), -2, 2);
  std::vector<char> mask(test::count(8, MaskColumns));
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 3 != 1;
  const std::span m(reinterpret_cast<const bool*>(mask.data()), mask.size());
  CHECK(f.template differ<"y", "slope">("x"_t = x, "mask"_t = m, "rows"_t = std::int64_t{5}) < 1e-6);
}

}  // namespace

TEST_CASE("rows: those that several loops count, or a part of one") {
  compare_masked<16>();
  compare_masked<21>();
}
