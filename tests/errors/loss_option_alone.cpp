// SPDX-License-Identifier: BSL-1.0
// A number in the place of a loss's options.
// both compilers
// lines: 50
// expect: huber_loss: its options are a tl::loss: tl::huber_loss<tl::loss{.delta = 0.1}>(x, t)
// expect: smooth_l1_loss: its options are a tl::loss: tl::smooth_l1_loss<tl::loss{.beta = 0.1}>(x, t)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/loss.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 10, 2>;
  auto t = tl::input<"t", float, 10, 2>;
#ifdef CORRECTED
  return tl::huber_loss<tl::loss{.delta = 0.1}>(x, t) + tl::smooth_l1_loss<tl::loss{.beta = 1}>(x, t);
#else
  return tl::huber_loss<0.1>(x, t) + tl::smooth_l1_loss<1>(x, t);
#endif
};

int main() { model(); }
