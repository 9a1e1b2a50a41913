// SPDX-License-Identifier: BSL-1.0
// Eager updates with a line search.
// expect: but the line search of lbfgs moves all of them together: leave eager_updates out
// reject: no matching function
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/lbfgs_trainer.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>)); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::lbfgs()};
#else
  tl::trainer net{model, tl::lbfgs(), tl::cpu{}, tl::eager_updates};
#endif
  net.step();
}
