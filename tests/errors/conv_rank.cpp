// SPDX-License-Identifier: BSL-1.0
// A convolution of images without channels.
// expect: conv2d got x float[8, 8] and a weight float[4, 3, 3, 3]: it takes two of one floating type,
// expect: [batch, in, height, width] and [out, in / groups, kernel height, kernel width]
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
constexpr auto x = tl::input<"x", float, 3, 8, 8>;
#else
constexpr auto x = tl::input<"x", float, 8, 8>;
#endif

constexpr auto model = [] { return tl::conv2d(x, tl::input<"w", float, 4, 3, 3, 3>); };

int main() { tl::function f{model}; }
