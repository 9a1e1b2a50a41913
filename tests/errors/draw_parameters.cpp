// SPDX-License-Identifier: BSL-1.0
// A mean and a deviation of shapes that do not fit.
// expect: normal got mean float[3] and std float[4]: it takes two of one floating type whose shapes fit one another; one of them may be a number
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
#ifdef CORRECTED
  auto std = tl::input<"std", float, 3>;
#else
  auto std = tl::input<"std", float, 4>;
#endif
  return tl::normal<"eps">(x, std);
};

int main() { tl::function f{model}; }
