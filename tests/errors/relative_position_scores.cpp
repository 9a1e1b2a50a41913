// SPDX-License-Identifier: BSL-1.0
// A table of relative positions with rows for other distances than the options have.
// expect: relative_position_scores got a table float[4, 3], queries float[6, 3] and keys float[6, 3]: it takes a
// expect: floating table [5, width], queries [.., length, width] of its type and keys [.., length, any]
// reject: no match
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/attention.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int rows = 5;
#else
constexpr int rows = 4;
#endif

constexpr auto model = [] {
  constexpr tl::relative_positions o{.max_distance = 2, .distance = tl::relative_distance::clipped};
  auto x = tl::input<"x", float, 6, 3>;
  return tl::relative_position_scores<o>(tl::input<"table", float, rows, 3>, x, x);
};

int main() { model(); }
