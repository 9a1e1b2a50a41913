// SPDX-License-Identifier: BSL-1.0
// A trainer of the model alone.
// both compilers
// lines: 20
// first: a trainer takes the model and a rule with its options: tl::trainer net{model,
// expect: a trainer takes the model and a rule with its options: tl::trainer net{model, tl::adam({.learning_rate = 1e-3f})}
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::linear<"fc1", 10>(x));
};

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
#else
  tl::trainer net{model};
#endif
}
