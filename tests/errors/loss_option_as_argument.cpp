// SPDX-License-Identifier: BSL-1.0
// Numbers behind a loss's operands, as in PyTorch.
// both compilers
// lines: 70
// expect: tversky_loss: its options are a tl::loss: tl::tversky_loss<tl::loss{.alpha = 0.3, .beta = 0.7}>(p, t)
// expect: numbers behind a loss's operands are options, which are template arguments: tl::huber_loss<tl::loss{.delta = 0.5}>(x, t)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 10, 2>;
  auto t = tl::input<"t", float, 10, 2>;
#ifdef CORRECTED
  return tl::huber_loss<tl::loss{.delta = 0.5}>(x, t) + tl::dice_loss<tl::loss{.eps = 1e-3}>(x, t) +
         tl::mse_loss(x, t) + tl::tversky_loss<tl::loss{.alpha = 0.3, .beta = 0.7}>(x, t);
#else
  return tl::huber_loss(x, t, 0.5) + tl::dice_loss(x, t, 1e-3) + tl::mse_loss(x, t, 2) +
         tl::tversky_loss(x, t, 0.3, 0.7);
#endif
};

int main() { model(); }
