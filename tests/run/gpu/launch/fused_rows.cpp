// SPDX-License-Identifier: BSL-1.0
// Which loops of a fused kernel count rows, and which kernels work on the same ones.
#include <tapeless/run/gpu/launch/fused_rows.hpp>

#include <tapeless/train/program/graph_builders.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace k = tapeless::thrust_kernels;

namespace {

template <class Model>
using graph_builder_of = tl::ready<tl::forward_graph_builder<Model>>;

/// A model's fused kernels, in order, and their rows.
template <class Model>
struct fused_kernels_of {
  static constexpr k::launch_tables tables = k::launch_tables_of<graph_builder_of<Model>>();
  static constexpr k::fused_rows finder{tables};
  static constexpr const tl::planned_fused_kernel& at(int i) { return tables.fused_kernels[i]; }
  /// How many follow one another from the first on, each of which meets all before it, in rows of the first
  /// that reduces.
  static constexpr int meeting(int first_that_reduces) {
    const k::extent_factors rows = finder.rows_of(at(first_that_reduces));
    const int count = static_cast<int>(tl::plan_of<graph_builder_of<Model>>.fused_kernels.size());
    for (int i = 1; i < count; ++i)
      for (int j = 0; j < i; ++j)
        if (!finder.meet(at(j), at(i), rows)) return i;
    return count;
  }
};

constexpr auto softmax = [] { return tl::softmax(tl::input<"x", float, tl::dyn<"rows">, 100>); };
// The operand's loops are rows and 4 * 8 * 16 elements in two loops; those of the sums are rows * 4 * 8
// and 16.
constexpr auto masked = [] {
  auto x = tl::input<"x", float, tl::dyn<"rows">, 4, 8, 16>;
  return tl::softmax(tl::where(tl::input<"mask", bool, 8, 16>, x, -1e9_c));
};
constexpr auto columns = [] { return tl::softmax<0>(tl::input<"x", float, 50, 100>); };
constexpr auto turned = [] {
  auto x = tl::input<"x", float, 64, 64>;
  return tl::softmax(tl::transpose(tl::softmax(x)));
};

}  // namespace

TEST_CASE("fused_rows: what reduces each row has the other loops as rows") {
  using kernels = fused_kernels_of<decltype(softmax)>;
  constexpr k::extent_factors rows = kernels::finder.rows_of(kernels::at(0));
  STATIC_REQUIRE(rows.literal == 1);
  STATIC_REQUIRE(rows.count == 1);
  constexpr auto found = kernels::finder.by_rows(kernels::at(0), rows);
  STATIC_REQUIRE(found.exist);
  STATIC_REQUIRE(found.loops.axes == 1);
  STATIC_REQUIRE(found.loops.split == 0);
  STATIC_REQUIRE(kernels::finder.elements_of(kernels::at(0), rows) == 100);
  STATIC_REQUIRE(kernels::meeting(0) == 6);
}

TEST_CASE("fused_rows: one loop may be rows and what is in them") {
  using kernels = fused_kernels_of<decltype(masked)>;
  constexpr k::extent_factors rows = kernels::finder.rows_of(kernels::at(2));
  STATIC_REQUIRE(rows.literal == 32);
  constexpr auto found = kernels::finder.by_rows(kernels::at(1), rows);
  STATIC_REQUIRE(found.exist);
  STATIC_REQUIRE(found.loops.axes == 1);
  STATIC_REQUIRE(found.loops.split == 16);
  STATIC_REQUIRE(kernels::finder.elements_of(kernels::at(1), rows) == 16);
  STATIC_REQUIRE(kernels::finder.meet(kernels::at(1), kernels::at(2), rows));
}

TEST_CASE("fused_rows: a sum over columns, and a number, have no rows") {
  using kernels = fused_kernels_of<decltype(columns)>;
  constexpr k::extent_factors rows = kernels::finder.rows_of(kernels::at(1));
  STATIC_REQUIRE(!kernels::finder.by_rows(kernels::at(0), rows).exist);
  STATIC_REQUIRE(!kernels::finder.meet(kernels::at(0), kernels::at(1), rows));
  using with_number = fused_kernels_of<decltype(masked)>;
  STATIC_REQUIRE(!with_number::finder.by_rows(with_number::at(0), rows).exist);
}

TEST_CASE("fused_rows: rows and columns of one matrix do not meet") {
  STATIC_REQUIRE(fused_kernels_of<decltype(turned)>::meeting(0) == 6);
}
