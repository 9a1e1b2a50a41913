// SPDX-License-Identifier: BSL-1.0
// A step of an objective without an input that its loss needs, and that the first output does not.
// lines: 20
// expect: not bound: "y" float[batch, 2]; bound: "x"
// reject: needs what the loss does not
#include <vector>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto h = tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>);
  auto y = tl::input<"y", float, tl::dyn<"batch">, 2>;
  return tl::outputs(tl::named<"size">(tl::mean(tl::square(h))), tl::named<"fit">(tl::mse_loss(h, y)));
};

int main() {
  tl::trainer net{model, tl::in_turn(tl::objective<"fit">(tl::names_like<"*">, tl::sgd({})))};
  const std::vector<float> x(3), y(2);
#ifdef CORRECTED
  net.step<"fit">("x"_t = x, "y"_t = y);
#else
  net.step<"fit">("x"_t = x);
#endif
}
