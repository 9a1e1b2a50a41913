// SPDX-License-Identifier: BSL-1.0
// lazy_rows for a loss that looks no rows up.
// expect: lazy_rows: no parameter is a table in which the loss only looks rows up
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

int main() {
  constexpr auto model = [] {
    auto table = tl::param<"table", float, 100, 4>(tl::normal(1));
    auto rows = tl::embedding(table, tl::input<"index", int, 8>);
#ifdef CORRECTED
    return tl::sum(tl::square(rows));
#else
    return tl::sum(tl::square(rows)) + tl::sum(table);
#endif
  };
  tl::trainer net{model, tl::lazy_rows(tl::sgd({.learning_rate = 0.1f}))};
  net.step("index"_t = {1, 2, 3, 4, 5, 6, 7, 8});
}
