// SPDX-License-Identifier: BSL-1.0
// A model whose return is forgotten.
// lines: 20
// first: the model returns nothing: it returns a loss, or tl::outputs(loss, tl::named<"y">(y))
// expect: the model returns nothing: it returns a loss, or tl::outputs(loss, tl::named<"y">(y))
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto y = tl::mean(tl::linear<"fc", 2>(tl::input<"x", float, 8, 4>));
#ifdef CORRECTED
  return y;
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
