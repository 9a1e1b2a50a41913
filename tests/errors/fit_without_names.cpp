// SPDX-License-Identifier: BSL-1.0
// Inputs and targets given to fit one after the other, where it takes a data set with the inputs' names.
// expect: fit takes one data set, whose columns are named like the inputs: data::dataset all;
// lines: 20
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <vector>

#include <tapeless/data/dataset.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/loop/fit.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mse_loss(tl::linear<"fc", 1>(x), tl::input<"y", float, tl::dyn<"batch">, 1>);
};

int main() {
  const std::vector<float> x(8), y(4);
  tl::trainer net{model, tl::sgd({})};
#ifdef CORRECTED
  tl::data::dataset all;
  all.add("x", {2}, x).add("y", {1}, y);
  tl::fit(net, all, {.epochs = 3});
#else
  tl::fit(net, x, y, {.epochs = 3});
#endif
}
