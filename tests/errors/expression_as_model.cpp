// SPDX-License-Identifier: BSL-1.0
// An expression where a model belongs.
// both compilers
// lines: 20
// first: an expression stands where a model belongs: wrap all that it is made of in a lambda, [] { ...;
// expect: an expression stands where a model belongs: wrap all that it is made of in a lambda, [] { ...; return
// expect: loss; }
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto loss = tl::mean(tl::linear<"fc", 2>(tl::input<"x", float, 8, 4>));

int main() {
#ifdef CORRECTED
  tl::trainer net{[] { return loss; }, tl::sgd({.learning_rate = 0.1f})};
#else
  tl::trainer net{loss, tl::sgd({.learning_rate = 0.1f})};
#endif
}
