// SPDX-License-Identifier: BSL-1.0
// A model that calls what runs only later.
// both compilers
// lines: 20
// first: the model is run while compiling, but something in it runs only later: a variable that is not
// expect: the model is run while compiling, but something in it runs only later: a variable that is not
// expect: constexpr, output, or a function that is not constexpr
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto wide() { return tl::input<"x", float, 8, 4>; }
#else
inline auto wide() { return tl::input<"x", float, 8, 4>; }
#endif

int main() {
  tl::trainer net{[] { return tl::mean(tl::linear<"fc", 2>(wide())); }, tl::sgd({.learning_rate = 0.1f})};
}
