// SPDX-License-Identifier: BSL-1.0
// Images without a batch, which could as well be sequences.
// expect: dropout2d of a value of the shape [8, 3, 5]: it takes floating [batch, channels, *, *]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  return tl::dropout1d(tl::input<"x", float, 8, 3, 5>);
#else
  return tl::dropout2d(tl::input<"x", float, 8, 3, 5>);
#endif
};

int main() { tl::function f{model}; }
