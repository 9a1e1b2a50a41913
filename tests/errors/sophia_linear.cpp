// SPDX-License-Identifier: BSL-1.0
// sophia for a loss without second derivatives.
// expect: sophia takes second derivatives of the loss, but those by \"fc.weight\" and all its other parameters are
// expect: zero: a loss like this one takes another rule, such as adamw
// reject: no matching function
// reject: no type named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto y = tl::linear<"fc", 2>(tl::input<"x", float, 4, 3>);
#ifdef CORRECTED
  return tl::mean(tl::square(y));
#else
  return tl::mean(tl::abs(y));
#endif
};

int main() {
  tl::trainer net{model, tl::sophia({})};
  const float x[12] = {};
  net.step("x"_t = x);
}
