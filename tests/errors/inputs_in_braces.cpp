// SPDX-License-Identifier: BSL-1.0
// The inputs of a step as a list in braces.
// both compilers
// lines: 20
// expect: inputs are given without braces, as arguments: net.step("x"_t = x, "y"_t = y)
// reject: no matching
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
  auto y = tl::input<"y", float, tl::dyn<"batch">, 2>;
  return tl::mse_loss(tl::linear<"fc", 2>(x), y);
};

int main() {
  tl::trainer net{model, tl::adam({})};
  const std::vector<float> x(6), y(4);
#ifdef CORRECTED
  return net.step("x"_t = x, "y"_t = y).loss() > 0;
#else
  return net.step({"x"_t = x, "y"_t = y}).loss() > 0;
#endif
}
