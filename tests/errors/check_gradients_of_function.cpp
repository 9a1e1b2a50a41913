// SPDX-License-Identifier: BSL-1.0
// The gradients of a function.
// lines: 20
// first: tapeless: check_gradients takes a trainer: a function has no gradients
// expect: tapeless: check_gradients takes a trainer: a function has no gradients
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/check_gradients.hpp>

#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::linear<"fc1", 10>(x));
};

int main() {
  const std::vector<float> x(32);
#ifdef CORRECTED
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
#else
  tl::function net{model};
#endif
  return tl::check_gradients(net, "x"_t = x).error < 1 ? 0 : 1;
}
