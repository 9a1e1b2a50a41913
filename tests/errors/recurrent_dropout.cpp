// SPDX-License-Identifier: BSL-1.0
// A dropout between layers in percent.
// expect: lstm takes a dropout that is a probability from 0 to 1, but got 20
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
constexpr tl::recurrent options{.layers = 2, .dropout = 0.2};
#else
constexpr tl::recurrent options{.layers = 2, .dropout = 20};
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"time">, 2, 3>;
  auto [y, h, c] = tl::lstm<"lstm", 5, options>(x);
  return tl::outputs(tl::named<"y">(y));
};

int main() { tl::function f{model}; }
