// SPDX-License-Identifier: BSL-1.0
// Variances of another shape.
// expect: gaussian_nll_loss got predictions float[batch, 3], targets float[batch, 3] and variances
// expect: float[3]: it takes two of one floating type and shape, and variances of this type and shape, or
// expect: one for all of the last axis
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/loss.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto t = tl::input<"t", float, batch, 3>;
#ifdef CORRECTED
  return tl::gaussian_nll_loss(x, t, tl::input<"v", float, batch>);
#else
  return tl::gaussian_nll_loss(x, t, tl::input<"v", float, 3>);
#endif
};

int main() { tl::function f{model}; }
