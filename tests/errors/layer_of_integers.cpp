// SPDX-License-Identifier: BSL-1.0
// Layers whose weights would be integers, as their input is.
// both compilers
// expect: linear<"a"> got x of the element type std::int32_t: it takes floating-point numbers; tl::cast<float>(x) converts
// expect: conv2d<"b"> got x of the element type std::uint8_t: it takes floating-point numbers; tl::cast<float>(x) converts
// expect: bilinear<"c"> got an operand of the element type std::int32_t: it takes floating-point numbers; tl::cast<float>(x) converts
// reject: matmul
// reject: no matching
// reject: no type named
// reject: has no member
#include <cstdint>

#include <tapeless/ops/linalg.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", std::int32_t, tl::dyn<"batch">, 3>;
  auto image = tl::input<"image", std::uint8_t, tl::dyn<"batch">, 3, 8, 8>;
#ifndef CORRECTED
  tl::linear<"a", 4>(x);
  tl::conv2d<"b", 8, tl::conv{.kernel = 3}>(image);
  tl::bilinear<"c", 4>(x, x);
#endif
  return tl::mean(tl::linear<"a", 4>(tl::cast<float>(x))) +
         tl::mean(tl::conv2d<"b", 8, tl::conv{.kernel = 3}>(tl::cast<float>(image)));
};

int main() { tl::trainer net{model, tl::sgd({})}; }
