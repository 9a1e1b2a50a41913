// SPDX-License-Identifier: BSL-1.0
// A loss with several elements.
// both compilers
// expect: must be a floating scalar, but is float[batch]: reduce it (mean, sum)
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <vector>

#include <tapeless/expr/input.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto loss = tl::matmul(x, tl::param<"w", float, 2>);
#ifdef CORRECTED
  return tl::mean(loss);
#else
  return loss;
#endif
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  std::vector<float> x(4);
  return net.step("x"_t = x).loss() > 0;
}
