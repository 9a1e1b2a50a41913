// SPDX-License-Identifier: BSL-1.0
// A custom operation of double whose backward gives float.
// both compilers
// lines: 20
// expect: backward of `halved` gives a cotangent of float of the shape [3] for an operand of double of the shape [3]
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

struct halved : tl::custom_op {
  static constexpr auto forward(auto x) { return 0.5 * x; }
#ifdef CORRECTED
  static constexpr auto backward(auto g, auto, auto) { return 0.5 * g; }
#else
  static constexpr auto backward(auto g, auto, auto) { return tl::cast<float>(0.5 * g); }
#endif
};

constexpr auto model = [] {
  auto w = tl::param<"w", double, 3>(tl::fill(1));
  return tl::sum(tl::square(tl::apply<halved>(w)));
};

int main() {
  tl::trainer net{model, tl::sgd({.momentum = 0})};
  net.step();
}
