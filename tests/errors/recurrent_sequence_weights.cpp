// SPDX-License-Identifier: BSL-1.0
// A GRU over a sequence whose first h has an axis over time.
// expect: gru got x float[7, 3, 4], h float[7, 3, 5], weights float[15, 4] and float[15, 5]: it takes x
// expect: [time, batch, in], h [batch, hidden], weights [3 hidden, in] and [3 hidden, hidden] of one
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

constexpr auto model = [] {
#ifdef CORRECTED
  auto first = tl::input<"h", float, 3, 5>;
#else
  auto first = tl::input<"h", float, 7, 3, 5>;
#endif
  auto [y, h] = tl::gru(tl::input<"x", float, 7, 3, 4>, first, tl::input<"wi", float, 15, 4>,
                        tl::input<"wh", float, 15, 5>);
  return y;
};

int main() { tl::function f{model}; }
