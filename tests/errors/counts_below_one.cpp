// SPDX-License-Identifier: BSL-1.0
// Numbers of parts, elements and groups of which nothing would be left.
// expect: tile takes how often along an axis, once or more, but got 0
// expect: repeat_interleave takes how often along an axis, once or more, but got 0
// expect: topk takes one element or more, but got 0
// expect: split takes one part or more, but got 0
// expect: masked_select takes one element or more, but got 0
// expect: bincount takes one number or more to count, but got 0
// expect: unique takes one element or more, but got 0
// expect: pixel_shuffle takes a factor of 1 or more, but got 0
// expect: channel_shuffle takes one group or more, but got 0
// lines-clang: 125
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/indexing.hpp>
#include <tapeless/ops/shape.hpp>
#include <tapeless/ops/spatial.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int count = 1;
#else
constexpr int count = 0;
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 4, 2, 2>;
  tl::tile<2, count>(x);
  tl::topk<count>(x);
  tl::split<1, count>(x);
  tl::masked_select<count>(x, x > x);
  tl::bincount<count>(tl::input<"i", std::int64_t, 3>);
  tl::unique<count>(x);
  tl::pixel_shuffle<count>(x);
  tl::channel_shuffle<count>(x);
  return tl::repeat_interleave<0, count>(x);
};

int main() { model(); }
