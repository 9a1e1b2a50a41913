// SPDX-License-Identifier: BSL-1.0
// Matrices that factorizations and linear systems do not take.
// expect: cholesky of a value of the shape [2, 3]: it takes [.., n, n]
// expect: inverse of a value of the shape [3]: it takes [.., n, n]
// expect: det got an operand of the element type std::int32_t: it takes floating-point numbers; tl::cast<float>(x) converts
// expect: solve got a float[3, 3] and b float[4]: it takes [.., n, n] and [.., n] or [.., n, k] of one floating type
// expect: solve_triangular got a float[3, 3] and b float[2, 4]: it takes [.., n, n] and [.., n, k] of one floating type
// expect: qr of a value of the shape [n, 3]: the extents of its matrices must be integers
// expect: lstsq got a float[2, 3] and b double[2]: it takes [.., m, n] and [.., m] or [.., m, k] of one floating type
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/linalg.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto a = tl::input<"a", float, 3, 3>;
  auto x = tl::input<"x", float, 2, 3>;
#ifndef CORRECTED
  tl::cholesky(x);
  tl::inverse(tl::input<"v", float, 3>);
  tl::det(tl::input<"i", int, 2, 2>);
  tl::solve(a, tl::input<"b", float, 4>);
  tl::solve_triangular(a, tl::input<"c", float, 2, 4>);
  tl::qr(tl::input<"d", float, tl::dyn<"n">, 3>);
  tl::lstsq(x, tl::input<"e", double, 2>);
#endif
  auto [q, r] = tl::qr(x);
  return tl::matmul(q, r) + tl::solve(tl::cholesky(tl::matmul(a, a)), tl::input<"b", float, 3>);
};

int main() { model(); }
