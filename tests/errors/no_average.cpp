// SPDX-License-Identifier: BSL-1.0
// Averaged weights of a rule that keeps none.
// expect: the rule keeps no average of the weights
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::average(tl::sgd({}))};
  const auto averages = net.averaged_weights();
#else
  tl::trainer net{model, tl::sgd({})};
  const auto averages = net.averaged_weights();
#endif
}
