// SPDX-License-Identifier: BSL-1.0
// Distances of vectors of different lengths.
// expect: cdist got a float[8, 3] and b float[5, 2]: it takes [.., n, features] and [.., m, features] of one
// expect: floating type, whose leading axes broadcast
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
  return tl::cdist(tl::input<"a", float, 8, 3>, tl::input<"b", float, 5, 3>);
#else
  return tl::cdist(tl::input<"a", float, 8, 3>, tl::input<"b", float, 5, 2>);
#endif
};

int main() { tl::function f{model}; }
