// SPDX-License-Identifier: BSL-1.0
// A custom operation that transposes, and whose backward does not: as many elements, in another order.
// both compilers
// lines: 60
// expect: backward of `turned` gives a cotangent of float of the shape [3, 2] for an operand of float of the shape [2, 3]
// expect: backward of `turned` gives a cotangent of float of the shape [3, 1] for an operand of float of the shape [1, 3]
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

struct turned : tl::custom_op {
  static constexpr auto forward(auto x) { return tl::transpose<0, 1>(x); }
#ifdef CORRECTED
  static constexpr auto backward(auto g, auto, auto) { return tl::transpose<0, 1>(g); }
#else
  static constexpr auto backward(auto g, auto, auto) { return g; }
#endif
};

template <int Rows>
constexpr auto model = [] {
  auto w = tl::param<"w", float, Rows, 3>(tl::fill(1));
  return tl::sum(tl::square(tl::apply<turned>(w)));
};

template <int Rows>
void step() {
  tl::trainer net{model<Rows>, tl::sgd({.momentum = 0})};
  net.step();
}

int main() {
  step<2>();
  step<1>();
}
