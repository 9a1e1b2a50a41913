// SPDX-License-Identifier: BSL-1.0
// A chain without a learning rate, on tl::bare.
// lines: 20
// first: no part of this chain turns the gradient's sign, and the loss would grow
// expect: no part of this chain turns the gradient's sign, and the loss would grow
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::square(tl::linear<"fc1", 2>(x)));
};

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::bare{}};
#else
  tl::trainer net{model, tl::chain(tl::trace({.decay = 0.9f})), tl::bare{}};
#endif
  const float x[32] = {};
  return net.step("x"_t = x).is_valid() ? 0 : 1;
}
