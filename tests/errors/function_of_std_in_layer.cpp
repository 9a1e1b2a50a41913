// SPDX-License-Identifier: BSL-1.0
// A function of std, whose result is a layer's operand.
// Two errors, since the function returns a number: for clang, two of the lines say that headers are compiled
// before.
// lines-gnu: 20
// lines-clang: 22
// first: an expression is no number while the model is written: use tl::exp, not std::exp, and so on
// expect: an expression is no number while the model is written: use tl::exp, not std::exp, and so on; to
// expect: see or print its elements, make it an output and ask the result
// reject: no match
#include <cmath>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  return tl::mean(tl::linear<"fc1", 10>(tl::exp(x)));
#else
  return tl::mean(tl::linear<"fc1", 10>(std::exp(x)));
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
