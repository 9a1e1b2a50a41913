// SPDX-License-Identifier: BSL-1.0
// The parts of a step of a trainer with several losses, and its averages.
// both compilers
// lines: 48
// expect: a trainer with several objectives has no gradients, accumulate or apply, only whole steps: net.step<"loss">(...); a trainer of one loss and one rule has them
// expect: averaged_weights: no objective's rule keeps an average of the weights; one that does is average(rule), average_equally(rule), lookahead(rule) or a schedule_free one
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
  return tl::outputs(tl::named<"first">(a + b), tl::named<"second">(b));
};

int main() {
  tl::trainer net{model, tl::in_turn(tl::objective<"first">(tl::names_like<"a">, tl::sgd({})))};
#ifdef CORRECTED
  net.step<"first">();
  tl::trainer one{model, tl::sgd({})};
  one.gradients();
  one.apply();
  tl::trainer averaged{model,
                       tl::in_turn(tl::objective<"first">(tl::names_like<"a">, tl::average(tl::sgd({}))))};
  const auto averages = averaged.averaged_weights();
#else
  net.gradients<"first">();
  net.accumulate(0.5);
  net.apply();
  const auto averages = net.averaged_weights();
#endif
}
