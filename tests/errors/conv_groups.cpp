// SPDX-License-Identifier: BSL-1.0
// A convolution whose groups do not divide the channels.
// expect: conv2d got x float[batch, 4, 8, 8] and a weight float[6, 2, 3, 3]: the channels of x and the
// expect: first extent of the weight must be multiples of 3, the groups
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
constexpr tl::conv options{.groups = 2};
#else
constexpr tl::conv options{.groups = 3};
#endif

constexpr auto model = [] {
  return tl::conv2d<options>(tl::input<"x", float, tl::dyn<"batch">, 4, 8, 8>,
                             tl::input<"w", float, 6, 2, 3, 3>);
};

int main() { tl::function f{model}; }
