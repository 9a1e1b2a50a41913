// SPDX-License-Identifier: BSL-1.0
// A run-time extent by its name alone. Only the compiler can word it; it shows the line that says more.
// both compilers
// lines: 28
// expect: // a run-time extent is tl::dyn<"batch">
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#else
  auto x = tl::input<"x", float, "batch", 3>;
#endif
  return tl::mean(tl::linear<"fc", 4>(x));
};

int main() { tl::function f{model}; }
