// SPDX-License-Identifier: BSL-1.0
// A trainer and a function without a policy, where bare.hpp is all that is included.
// both compilers
// alone
// first: a trainer on tl::bare is tl::trainer net{model, rule, tl::bare{}}, in this order; one without a
// policy
// expect: a trainer on tl::bare is tl::trainer net{model, rule, tl::bare{}}, in this order; one without a policy
// expect: a function on tl::bare is tl::function f{model, tl::bare{}}, or {model, tl::weights(bytes), tl::bare{}}
// reject: deduction
// reject: no matching
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::mean(tl::square(tl::linear<"fc1", 2>(tl::input<"x", float, 4>))); };

int main() {
  auto rule = tl::sgd({.learning_rate = 0.1f});
#ifdef CORRECTED
  tl::trainer net{model, rule, tl::bare{}};
  tl::function f{model, tl::bare{}, 7};
#else
  tl::trainer net{model, rule};
  tl::function f{tl::bare{}, model};
#endif
  const float x[4] = {};
  return net.step("x"_t = x).is_valid() && f("x"_t = x).is_valid() ? 0 : 1;
}
