// SPDX-License-Identifier: BSL-1.0
// A parameter that the loss does not depend on.
// both compilers
// expect: the loss does not depend on the parameter \"unused\", or only through operations without a
// expect: derivative: leave it out of the model, a layer's bias by linear<\"fc\", 10, false>, or out of the rule,
// expect: by partition
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2>;
  auto w = tl::param<"w", float, 2>;
  auto unused = tl::param<"unused", float, 2>;
#ifdef CORRECTED
  auto loss = tl::sum(x * w + unused);
#else
  auto loss = tl::sum(x * w);
#endif
  return tl::outputs(loss, tl::named<"y">(x * unused));
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  net.step("x"_t = std::array{1.0f, 2.0f});
}
