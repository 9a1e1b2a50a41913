// SPDX-License-Identifier: BSL-1.0
// A rule that collects gradients as an objective's.
// both compilers
// expect: accumulate collects the gradients of one loss: it cannot be an objective's rule
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
  tl::trainer net{model,
                  tl::in_turn(tl::objective<"first">(tl::names_like<"a">, tl::accumulate(2, tl::sgd({}))))};
#endif
  net.step<"first">();
}
