// SPDX-License-Identifier: BSL-1.0
// A rule with a trainer of its own, on tl::bare.
// alone
// first: tl::bare has one loss, whose gradient is computed once in a step: lbfgs and in_turn need a trainer
// on
// expect: tl::bare has one loss, whose gradient is computed once in a step: lbfgs and in_turn need a trainer on
// reject: waits_for_all_gradients
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::mean(tl::square(tl::linear<"fc1", 2>(tl::input<"x", float, 4>))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::adam({.learning_rate = 0.1f}), tl::bare{}};
#else
  tl::trainer net{model, tl::lbfgs(), tl::bare{}};
#endif
  const float x[4] = {};
  return net.step("x"_t = x).is_valid() ? 0 : 1;
}
