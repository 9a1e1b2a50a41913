// SPDX-License-Identifier: BSL-1.0
// Parameters of 16 bits with lbfgs.
// expect: lbfgs trains parameters of float or double
// reject: no matching function
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/lbfgs_trainer.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>)); };
#else
constexpr auto model = [] { return tl::sum(tl::square(tl::cast<float>(tl::param<"w", tl::bf16, 2>))); };
#endif

int main() {
  tl::trainer net{model, tl::lbfgs()};
  net.step();
}
