// SPDX-License-Identifier: BSL-1.0
// sophia for a model in 16 bits.
// expect: sophia takes second derivatives of the loss, which a model that mixed_precision stores in 16 bits does
// expect: not have: write sophia({...}) without mixed_precision
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
  tl::trainer net{model, tl::mixed_precision<tl::bf16>(tl::sophia({}))};
#endif
  const float x[12] = {};
  net.step("x"_t = x);
}
