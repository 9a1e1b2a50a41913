// SPDX-License-Identifier: BSL-1.0
// A checkpoint of a function.
// lines: 20
// expect: checkpoint takes what a function has made, not the function: tl::checkpoint(f(x))
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto y = tl::checkpoint(tl::tanh(x));
#else
  auto y = tl::checkpoint([](auto x) { return tl::tanh(x); }, x);
#endif
  return tl::outputs(tl::named<"y">(tl::exp(y)));
};

int main() { tl::function f{model}; }
