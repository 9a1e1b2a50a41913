// SPDX-License-Identifier: BSL-1.0
// Equations that are none, and operands that do not fit them.
// expect: einsum<\"ij,jk->\">: the label j has the extents 3 and 4
// expect: einsum<\"ijk->i\">: operand 1 has the shape [2, 3], but 3 labels
// expect: einsum<\"ij->ik\">: the label k of the result stands in no operand
// expect: einsum<\"ij->ii\">: the label i stands twice in the result
// expect: einsum<\"ij,jk\"> has 2 terms, but got 1 operands
// expect: einsum<\"i2->i\">: wrong at \"2->i\"; an equation has letters for axes, at most one ... in each term, at
// expect: einsum<\"ii\">: the label i has the extents 2 and 3
// expect: einsum<\"...,...\">: an axis of ... has the extents 3 and 4
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/linalg/einsum.hpp>
#include <tapeless/ops/ops.hpp>

namespace tl = tapeless;

#ifndef CORRECTED
constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto y = tl::input<"y", float, 4, 5>;
  tl::einsum<"ij,jk->">(x, y);
  tl::einsum<"ijk->i">(x);
  tl::einsum<"ij->ik">(x);
  tl::einsum<"ij->ii">(x);
  tl::einsum<"ij,jk">(x);
  tl::einsum<"i2->i">(x);
  tl::einsum<"ii">(x);
  return tl::einsum<"...,...">(x, tl::transpose(y));
};
#else
constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  return tl::einsum<"ij,kj->ik">(x, tl::input<"y", float, 4, 3>);
};
#endif

int main() { model(); }
