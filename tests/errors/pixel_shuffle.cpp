// SPDX-License-Identifier: BSL-1.0
// Channels that do not make squares.
// expect: pixel_shuffle of a value of the shape [8, 6, 5, 5]: it takes [.., channels, height, width], where
// expect: the channels are a multiple of 4
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  return tl::pixel_shuffle<2>(tl::input<"x", float, 8, 8, 5, 5>);
#else
  return tl::pixel_shuffle<2>(tl::input<"x", float, 8, 6, 5, 5>);
#endif
};

int main() { tl::function f{model}; }
