// SPDX-License-Identifier: BSL-1.0
// The program's own numbers in the model.
// both compilers
// lines: 20
// first: *: values of the program stand next to an expression: make them an input of the model,
// expect: *: values of the program stand next to an expression: make them an input of the model, tl::input<"y", float, 8>, and give them with each call, "y"_t = values
#include <vector>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  return tl::mean(x * tl::input<"y", float, 8, 4>);
#else
  return tl::mean(x * std::vector<float>(32));
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
