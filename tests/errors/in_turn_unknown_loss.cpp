// SPDX-License-Identifier: BSL-1.0
// An objective whose loss the model does not name.
// both compilers
// expect: there is no output named \"third\", which is the loss of an objective; there is \"first\", \"second\"
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
  tl::trainer net{model, tl::in_turn(tl::objective<"third">(tl::names_like<"a">, tl::sgd({})))};
#endif
  net.step<"first">();
}
