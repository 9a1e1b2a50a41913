// SPDX-License-Identifier: BSL-1.0
// A convolution whose weight takes another number of channels than x has.
// expect: conv2d got x float[batch, 3, 8, 8] and a weight float[4, 2, 3, 3]: x has 3 channels, but the
// expect: weight takes 2
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
constexpr int in = 3;
#else
constexpr int in = 2;
#endif

constexpr auto model = [] {
  return tl::conv2d(tl::input<"x", float, tl::dyn<"batch">, 3, 8, 8>, tl::input<"w", float, 4, in, 3, 3>);
};

int main() { tl::function f{model}; }
