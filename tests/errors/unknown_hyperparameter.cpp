// SPDX-License-Identifier: BSL-1.0
// A hyperparameter by a name that the rule does not have.
// both compilers
// expect: there is no hyperparameter named \"momentum\"; there is \"weight_decay\", \"learning_rate\"
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>)); };

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
#ifdef CORRECTED
  net.set<"learning_rate">(0.01);
#else
  net.set<"momentum">(0.9);
#endif
}
