// SPDX-License-Identifier: BSL-1.0
// Orders, numbers of differences and of axes, and element types that operations do not have.
// expect: polygamma takes an order from 0 to 20, but got 21
// expect: diff takes differences 0 times or more, but got -1
// expect: argmax takes one axis, or none for all elements, but got 2
// expect: linspace takes a floating element type, but got std::int32_t
// expect: matrix_norm takes the orders 1, -1, 2, -2, infinity and -infinity, tl::frobenius or tl::nuclear, but got 3
// expect: cond takes the orders 1, -1, 2, -2, infinity and -infinity, tl::frobenius or tl::nuclear, but got 3
// lines-clang: 90
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3, 3>;
#ifndef CORRECTED
  tl::polygamma<21>(x);
  tl::diff<0, -1>(x);
  tl::argmax<0, 1>(x);
  tl::linspace<std::int32_t, 3>(0_c, 3_c);
  tl::matrix_norm(x, tl::order<3>);
  tl::cond(x, tl::order<3>);
#endif
  return x;
};

int main() { model(); }
