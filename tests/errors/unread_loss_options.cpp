// SPDX-License-Identifier: BSL-1.0
// Options that a loss does not read.
// expect: huber_loss does not read loss::beta
// expect: bce_with_logits_loss does not read loss::label_smoothing
// expect: nll_loss does not read loss::label_smoothing
// expect: multi_margin_loss does not read loss::axis
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto labels = tl::input<"labels", int, 2>;
#ifndef CORRECTED
  tl::huber_loss<tl::loss{.beta = 0.1}>(x, x);
  tl::bce_with_logits_loss<tl::loss{.label_smoothing = 0.2}>(x, x);
  tl::nll_loss<tl::loss{.label_smoothing = 0.2}>(x, labels);
  tl::multi_margin_loss<tl::loss{.axis = 1}>(x, labels);
#endif
  return tl::huber_loss<tl::loss{.delta = 0.1}>(x, x) + tl::nll_loss<tl::loss{.axis = 1}>(x, labels);
};

int main() { model(); }
