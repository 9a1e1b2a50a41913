// SPDX-License-Identifier: BSL-1.0
// An objective that is for a parameter that its loss does not depend on.
// both compilers
// expect: the loss of the objective \"first\" does not depend on the parameter \"b\", which the objective is for
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
#ifdef CORRECTED
  tl::trainer net{model, tl::in_turn(tl::objective<"first">(tl::names_like<"a">, tl::sgd({})))};
#else
  tl::trainer net{model, tl::in_turn(tl::objective<"first">(tl::names_like<"*">, tl::sgd({})))};
#endif
  net.step<"first">();
}
