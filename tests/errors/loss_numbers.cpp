// SPDX-License-Identifier: BSL-1.0
// Numbers in the options of losses that these do not take: one sentence each.
// expect: cross_entropy takes a label_smoothing from 0 to 1, but got 2
// expect: focal_loss takes a gamma of 0 or more, but got -1
// expect: dice_loss takes an eps above 0, but got 0
// expect: tversky_loss takes an alpha and a beta of 0 or more, but got -0.5 and 0.5
// expect: triplet_margin_loss takes a power of 1 or more, but got 0.5
// expect: huber_loss takes a delta above 0, but got 0
// expect: quantile_loss takes a quantile between 0 and 1, but got 1.5
// expect: smooth_l1_loss takes a beta of 0 or more, but got -1
// lines-clang: 125
// lines-gnu: 55
// reject: constant expression
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/loss.hpp>

namespace tl = tapeless;
using tl::loss;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4, 3>;
  auto labels = tl::input<"labels", int, 4>;
#ifndef CORRECTED
  tl::cross_entropy<loss{.label_smoothing = 2}>(x, labels);
  tl::focal_loss<loss{.gamma = -1}>(x, labels);
  tl::dice_loss<loss{.eps = 0}>(x, x);
  tl::tversky_loss<loss{.alpha = -0.5}>(x, x);
  tl::triplet_margin_loss<loss{.power = 0.5}>(x, x, x);
  tl::huber_loss<loss{.delta = 0}>(x, x);
  tl::quantile_loss<loss{.quantile = 1.5}>(x, x);
  tl::smooth_l1_loss<loss{.beta = -1}>(x, x);
#endif
  return tl::cross_entropy<loss{.label_smoothing = 0.1}>(x, labels);
};

int main() { model(); }
