// SPDX-License-Identifier: BSL-1.0
// Operands whose extents do not fit.
// both compilers
// expect: + got operands of the shapes [batch, 3] and [4], which do not fit: seen from the last axis, two
// expect: extents must be equal or one of them 1
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int columns = 4;
#else
constexpr int columns = 3;
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, columns>;
  auto y = tl::input<"y", float, 4>;
  return tl::sum(tl::tanh(x + y) * y);
};

int main() { tl::function f{model}; }
