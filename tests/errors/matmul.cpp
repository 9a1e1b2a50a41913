// SPDX-License-Identifier: BSL-1.0
// A matrix product whose inner extents differ.
// expect: matmul got operands float[batch, 3] and float[4, 5], which do not fit: it takes two of one floating
// expect: type, [..., m, k] and [..., k, n]
// expect: matmul got operands float[3] and float[4, 5], which do not fit
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/function.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int inner = 4;
#else
constexpr int inner = 3;
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, inner>;
  return tl::mean(tl::matmul(x, tl::param<"w", float, 4, 5>));
};

constexpr auto row = [] { return tl::matmul(tl::input<"x", float, inner>, tl::param<"w", float, 4, 5>); };

int main() {
  tl::function f{row};
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
#ifdef CORRECTED
  net.step(tl::tag<"x">{} = tl::bound_elements{});
#endif
}
