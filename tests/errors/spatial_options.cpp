// SPDX-License-Identifier: BSL-1.0
// Options that a pool or a convolution does not take.
// expect: max_pool2d takes a padding of at most half of what a window spans, which is 2, but got 2
// expect: max_pool2d takes a kernel of 1 or more, but got -2
// expect: an option of a pool takes one number, or one for each spatial axis
// expect: of pools, max pools alone take a dilation, means alone a divisor_override
// expect: an Lp pool takes a norm_type above 0, no padding and no divisor_override
// expect: an option of a convolution takes one number, or one for each spatial axis
// expect: padding_size::same is for a stride of 1
// expect: a transposed convolution takes a padding in numbers, of zeros
// expect: conv2d takes one group or more, but got 0
// expect: conv2d takes a stride of 1 or more, but got 0
// expect: conv2d takes a padding of 0 or more, but got -1
// expect: conv2d<"j">: the number of channels, -4, must be 0 or more
// expect: interpolate takes a scale_factor above 0, but got -2
// lines-clang: 210
// lines-gnu: 85
// reject: constant expression
// reject: uninitialized
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/spatial.hpp>

namespace tl = tapeless;
using tl::conv, tl::pool;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 1, 2, 8, 8>;
#ifndef CORRECTED
  tl::max_pool2d<pool{.kernel = 2, .padding = 2}>(x);
  tl::max_pool2d<pool{.kernel = {2, 2, 3}}>(x);
  tl::avg_pool2d<pool{.kernel = 2, .dilation = 2}>(x);
  tl::lp_pool2d<pool{.kernel = 2, .padding = 1}>(x);
  tl::conv2d<"a", 3, conv{.kernel = {3, 3, 1}}>(x);
  tl::conv2d<"b", 3, conv{.kernel = 3, .stride = 2, .padding = tl::padding_size::same}>(x);
  tl::conv_transpose2d<"c", 3, conv{.kernel = 3, .padding = tl::padding_size::same}>(x);
  tl::max_pool2d<pool{.kernel = -2}>(x);
  tl::conv2d<"g", 4, conv{.kernel = 3, .groups = 0}>(x);
  tl::conv2d<"h", 4, conv{.kernel = 3, .stride = 0}>(x);
  tl::conv2d<"i", 4, conv{.kernel = 3, .padding = -1}>(x);
  tl::conv2d<"j", -4, conv{.kernel = 3}>(x);
  tl::interpolate<tl::resize{.scale_factor = -2}>(x);
#endif
  return tl::max_pool2d<pool{.kernel = 2, .padding = 1}>(x);
};

int main() { model(); }
