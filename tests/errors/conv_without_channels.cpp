// SPDX-License-Identifier: BSL-1.0
// Images whose axis for channels is forgotten.
// lines: 20
// expect: conv2d<"c"> of a value of the shape [batch, 28, 28]: it takes [channels, height, width] of one sample,
// expect: whose channels must be an integer, or [batch, channels, ...], as tl::unsqueeze<1>(x) is
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 28, 28>;
#ifdef CORRECTED
  return tl::mean(tl::conv2d<"c", 8, tl::conv{.kernel = 3}>(tl::unsqueeze<1>(x)));
#else
  return tl::mean(tl::conv2d<"c", 8, tl::conv{.kernel = 3}>(x));
#endif
};

int main() { tl::trainer net{model, tl::sgd({})}; }
