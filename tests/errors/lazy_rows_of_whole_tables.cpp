// SPDX-License-Identifier: BSL-1.0
// lazy_rows of a rule that needs the whole parameter.
// expect: lazy_rows: the rule combines rows of "table.weight", of which it sees those alone that a step looks up
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
#ifdef CORRECTED
  tl::trainer net{model, tl::lazy_rows(tl::adam({}))};
#else
  tl::trainer net{model, tl::lazy_rows(tl::lamb({}))};
#endif
  net.step("index"_t = {1, 2, 3, 4, 5, 6, 7, 8});
}
