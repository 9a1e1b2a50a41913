// SPDX-License-Identifier: BSL-1.0
// The program's own numbers where a loss has its target.
// both compilers
// lines: 20
// first: mse_loss: values of the program stand next to an expression: make them an input of the model,
// expect: mse_loss: values of the program stand next to an expression: make them an input of the model, tl::input<"y", float, 8>, and give them with each call, "y"_t = values
#include <vector>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  return tl::mse_loss(x, tl::input<"y", float, 8, 4>);
#else
  return tl::mse_loss(x, std::vector<float>(32));
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
