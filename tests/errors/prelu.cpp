// SPDX-License-Identifier: BSL-1.0
// A slope for each feature, where the channels are another axis.
// expect: prelu got x float[8, 3, 5] and a weight float[5]: it takes floating x [batch, channels, ...] and a
// expect: weight [1] or [channels] of its type
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
  return tl::prelu(tl::input<"x", float, 8, 3, 5>, tl::input<"w", float, 3>);
#else
  return tl::prelu(tl::input<"x", float, 8, 3, 5>, tl::input<"w", float, 5>);
#endif
};

int main() { tl::function f{model}; }
