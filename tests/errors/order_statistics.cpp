// SPDX-License-Identifier: BSL-1.0
// Quantiles and medians of what has none.
// expect: quantile takes a share from 0 to 1, but got 25
// expect: quantile<2> of a value of the shape [2, 0], which has no such axis
// expect: quantile of a value of the shape [2, 0]: there is no element
// expect: median of a value of the shape [2, 0]: there is no element
// expect: quantile got an operand of the element type std::int32_t: it takes floating-point numbers
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 0>;
#ifndef CORRECTED
  tl::quantile<25, 0>(x);
  tl::quantile<0.5, 2>(x);
  tl::quantile<0.5, 1>(x);
  tl::median<1>(x);
  tl::quantile<0.5, 0>(tl::cast<std::int32_t>(x));
#endif
  return tl::quantile<0.25, 0>(x) + tl::median<0>(x);
};

int main() { model(); }
