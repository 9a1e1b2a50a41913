// SPDX-License-Identifier: BSL-1.0
// Targets of another shape than the scores.
// expect: margin_ranking_loss got scores float[batch, 3], scores float[batch, 3] and targets float[batch]:
// expect: it takes three of one floating type and shape
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
  return tl::margin_ranking_loss(x, t, tl::input<"y", float, batch, 3>);
#else
  return tl::margin_ranking_loss(x, t, tl::input<"y", float, batch>);
#endif
};

int main() { tl::function f{model}; }
