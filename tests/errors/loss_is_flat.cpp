// SPDX-License-Identifier: BSL-1.0
// A parameter that the loss reaches only through an operation whose derivative is zero.
// expect: the loss does not depend on the parameter \"w\", or only through operations without a derivative
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto y = tl::input<"x", float, 2> * tl::param<"w", float, 2>;
#ifdef CORRECTED
  return tl::sum(y);
#else
  return tl::sum(tl::floor(y));
#endif
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  net.step("x"_t = std::array{1.0f, 2.0f});
}
