// SPDX-License-Identifier: BSL-1.0
// An input with parentheses.
// lines: 20
// first: an expression is not called: an input has no parentheses, tl::input<"x", float, 3>
// expect: an expression is not called: an input has no parentheses, tl::input<"x", float, 3>
// reject: call operator
// reject: no match
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#else
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>();
#endif
  return tl::mean(tl::linear<"fc", 4>(x));
};

int main() { tl::function f{model}; }
