// SPDX-License-Identifier: BSL-1.0
// Sizes and factors that an image cannot be brought to.
// expect: interpolate takes either a size or a scale_factor: resize{.size = 8}
// expect: interpolate takes a size of 1 or more
// expect: align_corners is for linear, bilinear, bicubic and trilinear interpolation
// expect: antialias is for bilinear and bicubic interpolation
// expect: interpolate got float[2, 3, n, 8]: it takes floating numbers, [batch, channels, length] in linear mode
// expect: interpolate of a value of the shape [2, 3, n, 8]: axis 2 has a run-time extent, which takes a factor that
// expect: upsample_nearest2d takes an integer of 1 or more; interpolate<resize{.scale_factor = 1.5}>(x) takes any
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/spatial.hpp>

namespace tl = tapeless;
using tl::interpolation, tl::resize;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3, tl::dyn<"n">, 8>;
#ifndef CORRECTED
  tl::interpolate<resize{.mode = interpolation::bilinear}>(x);
  tl::interpolate<resize{.size = {4, -1}}>(x);
  tl::interpolate<resize{.size = 4, .align_corners = true}>(x);
  tl::interpolate<resize{.size = 4, .antialias = true}>(x);
  tl::interpolate<resize{.size = 4, .mode = interpolation::linear}>(x);
  tl::interpolate<resize{.scale_factor = 1.5}>(x);
  tl::upsample_nearest2d<1.5>(x);
#endif
  return tl::interpolate<resize{.scale_factor = {2, 1.5}}>(x);
};

int main() { model(); }
