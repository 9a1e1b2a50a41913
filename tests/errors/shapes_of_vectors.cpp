// SPDX-License-Identifier: BSL-1.0
// Values of too few or too many axes, and of extents that are known too late.
// expect: vecdot of a value of the shape [2, 3, n]: it has no axis 3
// expect: diag_embed of a value of the shape []: it takes 1 to 7 axes
// expect: diag_embed of a value of the shape [n]: beside the main diagonal it takes a known extent
// expect: meshgrid of a value of the shape [2, 3, n]: it takes vectors
// expect: an operation takes at most 8 values, but got 9
// expect: local_response_norm of a value of the shape [n]: it takes floating [batch, channels, length, ...]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto n = tl::dyn<"n">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3, n>;
  auto v = tl::input<"v", float, n>;
#ifndef CORRECTED
  tl::vecdot<3>(x, x);
  tl::diag_embed(tl::sum(v));
  tl::diag_embed<1>(v);
  tl::meshgrid(v, x);
  tl::meshgrid(v, v, v, v, v, v, v, v, v);
  tl::local_response_norm<3>(v);
#endif
  auto [first, second] = tl::meshgrid(v, v);
  return tl::vecdot<1>(tl::local_response_norm<3>(x), x) + tl::sum(tl::diag_embed(v) * first * second);
};

int main() { model(); }
