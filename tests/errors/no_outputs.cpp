// SPDX-License-Identifier: BSL-1.0
// Outputs of nothing.
// both compilers
// lines: 20
// expect: outputs takes what the model computes: tl::outputs(loss, tl::named<"y">(y))
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  return tl::outputs(tl::sum(x));
#else
  return tl::outputs();
#endif
};

int main() { tl::function f{model}; }
