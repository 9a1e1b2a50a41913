// SPDX-License-Identifier: BSL-1.0
// Recurrent networks of no layers and no features: one sentence each.
// expect: lstm has one hidden feature or more, but got 0
// expect: lstm has one hidden feature or more, but got -8
// expect: gru has one layer or more, but got 0
// expect: gru_cell has one hidden feature or more, but got 0
// lines-clang: 95
// lines-gnu: 45
// reject: constant expression
// reject: overflow
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/recurrent.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 5, 2, 3>;
#ifndef CORRECTED
  tl::lstm<"a", 0>(x);
  tl::lstm<"b", -8>(x);
  tl::gru<"c", 4, tl::recurrent{.layers = 0}>(x);
  tl::gru_cell<"d", 0>(x, tl::input<"h", float, 5, 2, 1>);
#endif
  auto [y, h, c] = tl::lstm<"e", 8>(x);
  return y;
};

int main() { model(); }
