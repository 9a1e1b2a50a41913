// SPDX-License-Identifier: BSL-1.0
// Several values that a helper gives, put together as for a loop.
// both compilers
// lines: 20
// expect: what tl::pack puts together is one expression, which is not taken apart: a function that gives several
// expect: values returns std::tuple{a, b, c}, which scan and vjp take, too
// reject: names provided
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto powers(tl::expression auto x) { return std::tuple{x, x * x, x * x * x}; }
#else
constexpr auto powers(tl::expression auto x) { return tl::pack(x, x * x, x * x * x); }
#endif

constexpr auto model = [] {
  auto [a, b, c] = powers(tl::input<"x", float, 3>);
  return tl::outputs(tl::named<"y">(a + b + c));
};

int main() { tl::function f{model}; }
