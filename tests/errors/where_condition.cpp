// SPDX-License-Identifier: BSL-1.0
// A selection by numbers.
// expect: where got a condition of the element type float: it takes booleans, which comparisons give
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2>;
#ifdef CORRECTED
  return tl::where(x != 0_c, x, 1_c);
#else
  return tl::where(x, x, 1_c);
#endif
};

int main() { tl::function f{model}; }
