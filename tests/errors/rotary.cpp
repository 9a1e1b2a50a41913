// SPDX-License-Identifier: BSL-1.0
// Rotary positions of rows of an odd width.
// expect: rotary got float[5, 3]: it takes floating [.., length, width] with an even number as width
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int width = 4;
#else
constexpr int width = 3;
#endif

constexpr auto model = [] { return tl::rotary(tl::input<"x", float, 5, width>); };

int main() { tl::function f{model}; }
