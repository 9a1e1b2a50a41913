// SPDX-License-Identifier: BSL-1.0
// Positions that are no integers.
// expect: rotary got x float[batch, 5, 4] and positions float[batch, 5]: it takes floating [.., length, width]
// expect: with an even number as width, and integers [length], [1, length], or [batch, length] where batch is the first axis of x
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/attention.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;
#ifdef CORRECTED
using position = std::int32_t;
#else
using position = float;
#endif

constexpr auto model = [] {
  return tl::rotary(tl::input<"x", float, batch, 5, 4>, tl::input<"positions", position, batch, 5>);
};

int main() { tl::function f{model}; }
