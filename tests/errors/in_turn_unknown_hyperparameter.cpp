// SPDX-License-Identifier: BSL-1.0
// A hyperparameter of an objective that has none of the name.
// both compilers
// expect: there is no hyperparameter named \"first.momentum\"; there is \"first.weight_decay\", \"first.learning_rate\"
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/in_turn_trainer.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto a = tl::sum(tl::square(tl::param<"a", float, 2>));
  auto b = tl::sum(tl::square(tl::param<"b", float, 2>));
  return tl::outputs(tl::named<"first">(a), tl::named<"second">(b));
};

int main() {
  tl::trainer net{model, tl::in_turn(tl::objective<"first">(tl::names_like<"a">, tl::sgd({})))};
#ifdef CORRECTED
  net.set<"first.learning_rate">(0.5);
#else
  net.set<"first.momentum">(0.5);
#endif
}
