// SPDX-License-Identifier: BSL-1.0
// A rule that does not update in every step, on tl::bare.
// lines: 20
// first: tl::bare updates in every step: accumulate(n, rule) needs a trainer on tl::cpu
// expect: tl::bare updates in every step: accumulate(n, rule) needs a trainer on tl::cpu
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::square(tl::linear<"fc1", 2>(x)));
};

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::bare{}};
#else
  tl::trainer net{model, tl::accumulate(2, tl::sgd({.learning_rate = 0.1f})), tl::bare{}};
#endif
  const float x[32] = {};
  return net.step("x"_t = x).is_valid() ? 0 : 1;
}
