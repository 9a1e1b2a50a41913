// SPDX-License-Identifier: BSL-1.0
// Several values where an operation takes one.
// both compilers
// lines: 40
// first: relu: several values stand where one belongs: auto [y, h] = f(x) names each of those that a
// expect: auto [y, h] = f(x) names each of those that a function gives, std::get<0>(f(x)) is the first
// reject: no matching
// reject: a layer has
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 5, 3>;
  auto h = tl::input<"h", float, 3>;
  auto several = tl::scan([](auto h, auto x) { return std::tuple{h + x, h * x}; }, h, x);
#ifdef CORRECTED
  auto [last, all] = several;
  return tl::outputs(tl::named<"y">(tl::linear<"fc", 2>(tl::relu(all))));
#else
  tl::relu(several);
  return tl::outputs(tl::named<"y">(tl::linear<"fc", 2>(several)));
#endif
};

int main() { tl::function f{model}; }
