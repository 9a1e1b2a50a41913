// SPDX-License-Identifier: BSL-1.0
// The rule before the model, and what is no rule at all behind it.
// first: a trainer takes the model and a rule with its options: tl::trainer net{model,
// expect: a trainer takes the model and a rule with its options: tl::trainer net{model, tl::adam({.learning_rate = 1e-3f})}
// reject: captures
// reject: is no update rule
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::sgd({})};
  tl::trainer by_name{model, tl::adam({})};
  tl::trainer by_rate{model, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 42};
#else
  tl::trainer net{tl::sgd({}), model};
  tl::trainer by_name{model, "adam"};
  tl::trainer by_rate{model, 0.1f, tl::cpu{}, 42};
#endif
  static_cast<void>(net), static_cast<void>(by_name), static_cast<void>(by_rate);
}
