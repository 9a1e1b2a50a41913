// SPDX-License-Identifier: BSL-1.0
// muon for a model with a bias.
// expect: muon is for matrices, but the parameter \"fc.bias\" has the shape [2]: give the others a rule of their own
// reject: no matching function
// reject: no type named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::mean(tl::linear<"fc", 2>(tl::input<"x", float, 4, 3>)); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::partition(tl::for_parameters(tl::matrices, tl::muon({})), tl::adamw({}))};
#else
  tl::trainer net{model, tl::muon({})};
#endif
  const float x[12] = {};
  net.step("x"_t = x);
}
