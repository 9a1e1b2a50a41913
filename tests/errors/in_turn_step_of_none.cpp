// SPDX-License-Identifier: BSL-1.0
// A step of a trainer with several losses, of none of them.
// both compilers
// expect: a trainer with several objectives makes a step of one: net.step<"loss">(...)
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
  net.step<"first">();
#else
  net.step();
#endif
}
