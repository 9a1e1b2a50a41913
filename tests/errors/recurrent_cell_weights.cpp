// SPDX-License-Identifier: BSL-1.0
// A GRU whose weights have rows for two gates.
// expect: gru_cell got x float[batch, 4], h float[batch, 5], weights float[10, 4] and float[15, 5]: it
// expect: takes x [.., in], h [.., hidden], weights [3 hidden, in] and [3 hidden, hidden] of one
// expect: floating type
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int rows = 15;
#else
constexpr int rows = 10;
#endif

constexpr auto model = [] {
  constexpr auto batch = tl::dyn<"batch">;
  return tl::gru_cell(tl::input<"x", float, batch, 4>, tl::input<"h", float, batch, 5>,
                      tl::input<"wi", float, rows, 4>, tl::input<"wh", float, 15, 5>);
};

int main() { tl::function f{model}; }
