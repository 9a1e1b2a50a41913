// SPDX-License-Identifier: BSL-1.0
// The laws for loops, and for parts that are computed again.
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(loop_over_time, 8, 8, -1, 1, [](auto x) {
  auto [h, y] = tl::scan(
      [](auto h, auto x) {
        auto next = tl::tanh(h * x + x);
        return tl::pack(next, next * h);
      },
      part<0, 2>(x), part<2, 3, 2>(x));
  return tl::concat<0>(h, tl::reshape<6>(y));
}(z))

// A weight that all iterations share, and one of each iteration's own; products, slices and a reduction in
// the body.
TAPELESS_LAW(loop_with_weights, 12, 5, -1, 1, [](auto x) {
  auto [h, w, sums] = tl::scan(
      [](auto h, auto w, auto own) {
        auto next = tl::sin(tl::matmul(w, h) + tl::matmul(own, tl::slice<0, 0, 1>(h)));
        return tl::pack(next, w, tl::sum(tl::exp(next)));
      },
      tl::pack(part<0, 2>(x), part<2, 2, 2>(x)), part<6, 3, 2, 1>(x));
  return tl::concat<0>(h, sums);
}(z))
TAPELESS_LAW(checkpoints, 4, 4, -1, 1,
             tl::checkpoint(tl::exp(tl::sin(tl::checkpoint(tl::tanh(z* z)) * z)) * tl::sum(z)))
