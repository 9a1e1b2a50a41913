// SPDX-License-Identifier: BSL-1.0
// A permutation that names an axis twice.
// expect: permute of a value of the shape [2, 3, 4]: the axes <0, 2, 2> do not name each of its axes once
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
constexpr int last = 1;
#else
constexpr int last = 2;
#endif

constexpr auto model = [] { return tl::permute<0, 2, last>(tl::input<"x", float, 2, 3, 4>); };

int main() { tl::function f{model}; }
