// SPDX-License-Identifier: BSL-1.0
// Weights of elements that do not broadcast to the losses.
// expect: bce_with_logits_loss got losses float[batch, 3] and element weights float[2]: it takes element
// expect: weights of the same element type that broadcast to the shape of the losses
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
  return tl::bce_with_logits_loss(x, t, tl::element_weights(tl::input<"w", float, 3>));
#else
  return tl::bce_with_logits_loss(x, t, tl::element_weights(tl::input<"w", float, 2>));
#endif
};

int main() { tl::function f{model}; }
