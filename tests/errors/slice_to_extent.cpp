// SPDX-License-Identifier: BSL-1.0
// A run-time extent as a slice's bound.
// both compilers
// lines: 40
// expect: slice of a value of the shape [T, 3]: the run-time extent T is no bound of axis 1: bounds are numbers,
// expect: slice of a value of the shape [T, 3]: the run-time extent N is no bound of axis 0: bounds are numbers,
// expect: those below 0 count from the end, tl::to_end is the axis's own end
// reject: no matching
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto T = tl::dyn<"T">, N = tl::dyn<"N">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, T, 3>;
  auto next = tl::slice<0, 1, T>(x);  // as tl::to_end
#ifdef CORRECTED
  return tl::outputs(tl::named<"next">(next), tl::named<"last">(tl::slice<1, 1, tl::to_end>(x)),
                     tl::named<"more">(tl::slice<0, 2, tl::to_end>(x)));
#else
  return tl::outputs(tl::named<"next">(next), tl::named<"last">(tl::slice<1, 1, T>(x)),
                     tl::named<"more">(tl::slice<0, N, T>(x)));
#endif
};

int main() { tl::function f{model}; }
