// SPDX-License-Identifier: BSL-1.0
// A parameter by a name that the model does not have.
// both compilers
// expect: there is no parameter named \"fc1\"; there is \"fc1.weight\", \"fc1.bias\"
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::linear<"fc1", 3>(tl::input<"x", float, 5, 2>)); };

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
#ifdef CORRECTED
  net.parameter<"fc1.weight">();
#else
  net.parameter<"fc1">();
#endif
}
