// SPDX-License-Identifier: BSL-1.0
// sophia with sums of gradients, which have no derivative.
// expect: sophia takes second derivatives of the loss, but gets sums of gradients of other steps (accumulate,
// expect: apply): write sophia({...}) without accumulate
// reject: no matching function
// reject: no type named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::mean(tl::square(tl::linear<"fc", 2>(tl::input<"x", float, 4, 3>))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::sophia({})};
#else
  tl::trainer net{model, tl::accumulate(2, tl::sophia({}))};
#endif
  const float x[12] = {};
  net.step("x"_t = x);
}
