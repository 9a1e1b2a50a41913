// SPDX-License-Identifier: BSL-1.0
// A function where a model belongs.
// lines: 20
// first: a pointer stands where a model belongs: a model is known while compiling, so give the lambda itself,
// expect: a pointer stands where a model belongs: a model is known while compiling, so give the lambda itself, or
// expect: [] { return f(); } with a constexpr function f
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto loss() { return tl::mean(tl::linear<"fc", 2>(tl::input<"x", float, 8, 4>)); }

int main() {
#ifdef CORRECTED
  tl::trainer net{[] { return loss(); }, tl::sgd({.learning_rate = 0.1f})};
#else
  tl::trainer net{loss, tl::sgd({.learning_rate = 0.1f})};
#endif
}
