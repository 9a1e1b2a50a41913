// SPDX-License-Identifier: BSL-1.0
// A tuple where several outputs are returned.
// both compilers
// lines: 20
// first: the model returns `std::tuple<...>`, which is no expression: several outputs are returned as
// expect: which is no expression: several outputs are returned as tl::outputs(loss, tl::named<"y">(y))
#include <tuple>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  auto y = tl::linear<"fc", 2>(x);
#ifdef CORRECTED
  return tl::outputs(tl::mean(y), tl::named<"y">(y));
#else
  return std::tuple(tl::mean(y), y);
#endif
};

int main() { tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}; }
