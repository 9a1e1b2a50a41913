// SPDX-License-Identifier: BSL-1.0
// Numbers of parts, elements and groups of which nothing would be left.
// expect: x is repeated once or more along each axis: of none nothing would be left
// expect: topk<count>(x) gives one element or more
// expect: split<axis, parts>(x) makes one part or more
// expect: masked_select<size>(x, mask) gives one element or more
// expect: bincount<size>(index) counts one number or more
// expect: unique<size>(x) gives one element or more
// expect: pixels are shuffled by a factor of 1 or more
// expect: channel_shuffle takes one group or more
// expect: tapeless: dropout takes a probability from 0 to 1
// expect: tapeless: dropout1d takes a probability from 0 to 1
// expect: tapeless: dropout2d takes a probability from 0 to 1
// expect: tapeless: dropout3d takes a probability from 0 to 1
// expect: tapeless: alpha_dropout takes a probability from 0 to 1
// expect: tapeless: feature_alpha_dropout takes a probability from 0 to 1
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/activation.hpp>
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
  tl::tile<count>(x);
  tl::topk<count>(x);
  tl::split<1, count>(x);
  tl::masked_select<count>(x, x > x);
  tl::bincount<count>(tl::input<"i", std::int64_t, 3>);
  tl::unique<count>(x);
  tl::pixel_shuffle<count>(x);
  tl::channel_shuffle<count>(x);
  constexpr double p = count - 0.5;
  tl::dropout1d<p>(tl::input<"line", float, 2, 4, 2>);
  tl::dropout2d<p>(x);
  tl::dropout3d<p>(tl::input<"volume", float, 2, 4, 2, 2, 2>);
  tl::alpha_dropout<p>(x);
  tl::feature_alpha_dropout<p>(x);
  return tl::dropout<p>(x);
};

int main() { model(); }
