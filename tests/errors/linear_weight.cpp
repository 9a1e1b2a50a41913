// SPDX-License-Identifier: BSL-1.0
// A linear layer whose weight has another number of columns than x.
// expect: linear got x of the shape [batch, 3] and a weight of the shape [5, 4]: it takes [..., in] and [out,
// expect: in]
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
constexpr int in = 4;
#else
constexpr int in = 3;
#endif

constexpr auto model = [] {
  return tl::linear(tl::input<"x", float, tl::dyn<"batch">, in>, tl::input<"w", float, 5, 4>);
};

int main() { tl::function f{model}; }
