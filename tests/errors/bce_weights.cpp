// SPDX-License-Identifier: BSL-1.0
// Weights that do not say what they weigh.
// expect: bce_loss takes weights as tl::element_weights(w), factors of the single losses, or as
// expect: tl::sample_weights(w)
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
  return tl::bce_loss(x, t, tl::element_weights(tl::input<"w", float, 3>));
#else
  return tl::bce_loss(x, t, tl::input<"w", float, 3>);
#endif
};

int main() { tl::function f{model}; }
