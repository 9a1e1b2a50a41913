// SPDX-License-Identifier: BSL-1.0
// A pool of images that are not in a batch.
// expect: global_avg_pool2d got float[2, 3, 8]: it takes floating numbers, [batch, channels, height, width]
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
constexpr auto x = tl::input<"x", float, 1, 2, 3, 8>;
#else
constexpr auto x = tl::input<"x", float, 2, 3, 8>;
#endif

constexpr auto model = [] { return tl::global_avg_pool2d(x); };

int main() { tl::function f{model}; }
