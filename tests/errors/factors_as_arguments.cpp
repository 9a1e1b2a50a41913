// SPDX-License-Identifier: BSL-1.0
// Factors of images as arguments.
// both compilers
// expect: upsample_nearest2d: its factor is a template argument: tl::upsample_nearest2d<2>(x)
// expect: upsample_bilinear2d: its factor is a template argument: tl::upsample_bilinear2d<2>(x)
// expect: pixel_shuffle: its factor is a template argument: tl::pixel_shuffle<2>(x)
// expect: pixel_unshuffle: its factor is a template argument: tl::pixel_unshuffle<2>(x)
// expect: channel_shuffle: how many groups is a template argument: tl::channel_shuffle<2>(x)
// expect: interpolate: its size or factor, and its mode, are template arguments: tl::interpolate<tl::resize{.scale_factor = 2}>(x)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 1, 4, 8, 8>;
#ifdef CORRECTED
  return tl::sum(tl::upsample_nearest2d<2>(x)) + tl::sum(tl::upsample_bilinear2d<2>(x)) +
         tl::sum(tl::pixel_shuffle<2>(x)) + tl::sum(tl::pixel_unshuffle<2>(x)) +
         tl::sum(tl::channel_shuffle<2>(x)) + tl::sum(tl::interpolate<tl::resize{.scale_factor = 2}>(x));
#else
  return tl::sum(tl::upsample_nearest2d(x, 2)) + tl::sum(tl::upsample_bilinear2d(x, 2, true)) +
         tl::sum(tl::upsample_nearest2d(x)) + tl::sum(tl::pixel_shuffle(x, 2)) +
         tl::sum(tl::pixel_unshuffle(x, 2)) + tl::sum(tl::channel_shuffle(x, 2)) +
         tl::sum(tl::interpolate(x, 2));
#endif
};

int main() { model(); }
