// SPDX-License-Identifier: BSL-1.0
// An input that a call leaves out.
// both compilers
// lines: 20
// first: not bound: "y" float[batch, 2]; bound: "x", "batch"
// reject: compute the others
// expect: not bound: "y" float[batch, 2]; bound: "x", "batch"
#include <array>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto y = tl::input<"y", float, tl::dyn<"batch">, 2>;
  return tl::outputs(tl::mse_loss(tl::linear<"fc", 2>(x), y), tl::named<"h">(x));
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  const std::array v{1.0f, 2.0f};
#ifdef CORRECTED
  net.predict("x"_t = v);
#else
  net.step("x"_t = v, "batch"_t = 1);
#endif
}
