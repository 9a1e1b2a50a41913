// SPDX-License-Identifier: BSL-1.0
// Averages of a rule that keeps none, and a parameter held fast by one that cannot, on tl::bare.
// expect: averaged_weights: the rule keeps no average of the weights; one that does is average(rule)
// expect: freeze, thaw: no parameter that can be frozen has a name like "fc1.*"
#include <tapeless/bare.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::mean(tl::square(tl::linear<"fc1", 2>(tl::input<"x", float, 4>))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::average(tl::freezable(tl::sgd({.learning_rate = 0.1f}))), tl::bare{}};
#else
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::bare{}};
#endif
  net.freeze<"fc1.*">();
  const auto averages = net.averaged_weights();
  return net.parameter<"fc1.bias">()[0] < 1 ? 0 : 1;
}
