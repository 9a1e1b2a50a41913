// SPDX-License-Identifier: BSL-1.0
// Two run-time extents with different names are not equal.
// expect: * got operands of the shapes [rows] and [batch], which do not fit
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
constexpr auto rows = tl::dyn<"batch">;
#else
constexpr auto rows = tl::dyn<"rows">;
#endif

constexpr auto model = [] {
  return tl::sum(tl::input<"x", float, rows> * tl::input<"y", float, tl::dyn<"batch">>);
};

int main() { tl::function f{model}; }
