// SPDX-License-Identifier: BSL-1.0
// Grids that an image cannot be sampled at.
// expect: grid_sample got x float[1, 2, 3, 8] and a grid float[1, 4, 5, 3]: it takes two of one floating type
// expect: grid_sample interpolates in bilinear (of volumes, too), nearest or bicubic mode
// expect: affine_grid got float[1, 3, 4]: for 2 extents it takes floating numbers, [batch, 2, 3]
// expect: affine_grid takes extents of 0 or more, or tl::dyn<...>
// expect: max_unpool2d takes extents of 0 or more, or tl::dyn<...>
// expect: max_unpool2d takes [batch, channels, height, width] of floating numbers, and integers of that shape
// expect: max_unpool2d of a value of the shape [1, 2, 3, 0]: axis 3 has no windows, so its extent is to be given
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/spatial.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 1, 2, 3, 8>;
#ifndef CORRECTED
  tl::grid_sample(x, tl::input<"grid", float, 1, 4, 5, 3>);
  tl::grid_sample<tl::sampling{.mode = tl::interpolation::area}>(x, tl::input<"g", float, 1, 4, 5, 2>);
  tl::affine_grid<4, 5>(tl::input<"theta", float, 1, 3, 4>);
  tl::affine_grid<-1, 5>(tl::input<"of n", float, tl::dyn<"n">, 2, 3>);
  tl::max_unpool2d<tl::pool{.kernel = 2}>(x, x);
  tl::max_unpool2d<tl::pool{.kernel = 2}, -6, 16>(x, tl::input<"places", std::int64_t, 1, 2, 3, 8>);
  tl::max_unpool2d<tl::pool{.kernel = 2, .stride = 3}>(tl::input<"none", float, 1, 2, 3, 0>,
                                                       tl::input<"index", std::int64_t, 1, 2, 3, 0>);
#endif
  return tl::grid_sample(x, tl::affine_grid<4, 5>(tl::input<"theta", float, 1, 2, 3>));
};

int main() { model(); }
