// SPDX-License-Identifier: BSL-1.0
// A convolution whose kernel is larger than x with its padding.
// expect: conv2d of a value of the shape [batch, 2, 8, 3]: a kernel of 3 with dilation 3 is longer than
// expect: axis 3 with a padding of 1
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
constexpr tl::conv options{.padding = 1, .dilation = 2};
#else
constexpr tl::conv options{.padding = 1, .dilation = 3};
#endif

constexpr auto model = [] {
  return tl::conv2d<options>(tl::input<"x", float, tl::dyn<"batch">, 2, 8, 3>,
                             tl::input<"w", float, 6, 2, 3, 3>);
};

int main() { tl::function f{model}; }
