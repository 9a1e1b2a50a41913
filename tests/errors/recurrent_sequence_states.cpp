// SPDX-License-Identifier: BSL-1.0
// An LSTM of two layers with the states of one.
// expect: lstm<\"lstm\"> got x float[time, 2, 4], h float[2, 2, 5] and c float[2, 5]: it takes floating
// expect: x [time, batch, in], where in is an integer, and h and c [2, batch, 5] of its type
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
  auto x = tl::input<"x", float, tl::dyn<"time">, 2, 4>;
#ifdef CORRECTED
  auto first_c = tl::input<"c", float, 2, 2, 5>;
#else
  auto first_c = tl::input<"c", float, 2, 5>;
#endif
  auto [y, h, c] =
      tl::lstm<"lstm", 5, tl::recurrent{.layers = 2}>(x, tl::input<"h", float, 2, 2, 5>, first_c);
  return y;
};

int main() { tl::function f{model}; }
