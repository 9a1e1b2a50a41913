// SPDX-License-Identifier: BSL-1.0
// A project that uses the library: fits y = 2x.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch>;
  auto y = tl::input<"y", float, batch>;
  return tl::mean(tl::square(tl::param<"w", float> * x - y));
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  std::vector<float> x{-1, 0, 1, 2}, y{-2, 0, 2, 4};
  for (int step = 0; step < 100; ++step) net.step("x"_t = x, "y"_t = y);
  return std::abs(net.parameter<"w">()[0] - 2) < 1e-3f ? 0 : 1;
}
