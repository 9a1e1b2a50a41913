// SPDX-License-Identifier: BSL-1.0
// lazy_rows where gradients come first and the update later.
// both compilers
// expect: lazy_rows does not go with net.apply(), nor in accumulate: sums of gradients are of whole tables; use net.step
// reject: no parameter is a table
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

int main() {
  constexpr auto model = [] {
    return tl::sum(tl::square(tl::embedding<"table", 100, 4>(tl::input<"index", int, 8>)));
  };
  tl::trainer net{model, tl::lazy_rows(tl::sgd({.learning_rate = 0.1f}))};
#ifdef CORRECTED
  net.step("index"_t = {1, 2, 3, 4, 5, 6, 7, 8});
#else
  net.gradients("index"_t = {1, 2, 3, 4, 5, 6, 7, 8});
  net.apply();
#endif
}
