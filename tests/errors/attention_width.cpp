// SPDX-License-Identifier: BSL-1.0
// Attention to rows of a run-time width.
// expect: attention<\"attn\"> got x float[5, width]: it takes floating [.., length, width], whose width
// expect: is an integer
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
constexpr tl::extent width = 4;
#else
constexpr tl::extent width = tl::dyn<"width">;
#endif

constexpr auto model = [] { return tl::attention<"attn">(tl::input<"x", float, 5, width>); };

int main() { tl::function f{model}; }
