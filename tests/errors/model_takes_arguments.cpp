// SPDX-License-Identifier: BSL-1.0
// A model that takes its input as an argument.
// lines: 20
// first: the model takes arguments: its inputs are named in it, as tl::input<"x", float, 4>, and it is a
// expect: the model takes arguments: its inputs are named in it, as tl::input<"x", float, 4>, and it is a lambda
// expect: without parameters
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto model = [] { return tl::mean(tl::linear<"fc", 2>(tl::input<"x", float, 8, 4>)); };
#else
constexpr auto model = [](auto x) { return tl::mean(tl::linear<"fc", 2>(x)); };
#endif

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
