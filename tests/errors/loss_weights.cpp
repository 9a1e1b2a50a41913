// SPDX-License-Identifier: BSL-1.0
// Weights of losses that are not said to be those of samples.
// both compilers
// lines: 60
// expect: this loss takes weights as its last operand, tl::sample_weights(w), of single losses too: w is [batch], or of the shape of the losses
// reject: no matching
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/loss.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 5, 3>;
  auto t = tl::input<"t", float, 5, 3>;
  auto w = tl::input<"w", float, 5>;
#ifdef CORRECTED
  return tl::huber_loss(x, t, tl::sample_weights(w)) + tl::mse_loss(x, t, tl::sample_weights(w));
#else
  return tl::huber_loss(x, t, w) + tl::mse_loss(x, t, tl::element_weights(w)) + tl::l1_loss(x, t, 2);
#endif
};

int main() { model(); }
