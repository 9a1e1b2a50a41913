// SPDX-License-Identifier: BSL-1.0
// A step of an objective that there is not.
// both compilers
// expect: there is no objective named \"second\"; there is \"first\"
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
  net.step<"second">();
#endif
}
