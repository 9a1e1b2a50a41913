// SPDX-License-Identifier: BSL-1.0
// Windows as columns of what has no such windows.
// expect: unfold and fold take a kernel, a stride and a dilation of 1 or more and a padding of 0 or more, in numbers
// expect: unfold of a value of the shape [1, 2, 3, 8]: a kernel of 4 is longer than axis 2
// expect: unfold of a value of the shape [3, 8]: it takes [batch, channels, height, width]
// expect: fold of a value of the shape [1, 8, 14]: it takes [batch, 4 * channels, 15], the kernel's elements and the
// expect: fold takes extents of 0 or more, or tl::dyn<...>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/spatial.hpp>

namespace tl = tapeless;
using tl::conv;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 1, 2, 3, 8>;
#ifndef CORRECTED
  tl::unfold<conv{.kernel = 2, .groups = 2}>(x);
  tl::unfold<conv{.kernel = 4}>(x);
  tl::unfold<conv{.kernel = 1}>(tl::input<"y", float, 3, 8>);
  tl::fold<conv{.kernel = 2}, 4, 6>(tl::input<"columns", float, 1, 8, 14>);
  tl::fold<conv{.kernel = 2}, 3, -8>(tl::input<"more", float, 1, 8, 14>);
#endif
  return tl::fold<conv{.kernel = 2}, 3, 8>(tl::unfold<conv{.kernel = 2}>(x));
};

int main() { model(); }
