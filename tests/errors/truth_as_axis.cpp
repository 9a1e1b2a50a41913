// SPDX-License-Identifier: BSL-1.0
// NumPy's keepdims and PyTorch's unbiased behind an axis.
// both compilers
// lines: 40
// first: true and false are no axes
// expect: true and false are no axes: tl::sum<0>(x, tl::keep_dims) keeps the axes, and tl::var<0>(x, tl::correction<0>) divides by n
// reject: no match
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto x = tl::input<"x", float, 8, 16>;
#ifdef CORRECTED
constexpr auto y = x - tl::mean<0>(x, tl::keep_dims);
constexpr auto z = tl::var<1>(x, tl::correction<0>);
#else
constexpr auto y = x - tl::mean<0, true>(x);
constexpr auto z = tl::var<1, false>(x);
#endif
