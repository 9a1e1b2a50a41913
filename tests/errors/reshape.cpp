// SPDX-License-Identifier: BSL-1.0
// A reshape to another number of elements.
// expect: reshape of a value of the shape [batch, 6] to [batch, 2, 4], which has another number of elements
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
constexpr int last = 3;
#else
constexpr int last = 4;
#endif
constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] { return tl::sum(tl::reshape<batch, 2, last>(tl::input<"x", float, batch, 6>)); };

int main() { tl::function f{model}; }
