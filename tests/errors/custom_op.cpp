// SPDX-License-Identifier: BSL-1.0
// A custom operation of two operands whose backward has one cotangent.
// both compilers
// expect: product` is no custom operation of these operands; it lacks: backward(g, x..., y), static
// reject: forward(x...)
// reject: no matching function
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

#include <tuple>

namespace tl = tapeless;

struct product : tl::custom_op {
  static constexpr auto forward(auto a, auto b) { return a * b; }
#ifdef CORRECTED
  static constexpr auto backward(auto g, auto a, auto b, auto) { return std::tuple(g * b, g * a); }
#else
  static constexpr auto backward(auto g, auto, auto b, auto) { return g * b; }
#endif
};

constexpr auto model = [] {
  auto x = tl::param<"x", float, 2>(tl::fill(1));
  return tl::sum(tl::square(tl::apply<product>(x, x)));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  net.step();
}
