// SPDX-License-Identifier: BSL-1.0
// Plain numbers and keep_dims behind the operand of cov and corrcoef.
// both compilers
// lines: 60
// expect: cov: behind x it takes a correction alone: tl::cov(x, tl::correction<0>)
// expect: corrcoef: it takes no more than the variables, as rows: tl::corrcoef(x)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 10, 2>;
#ifdef CORRECTED
  return tl::cov(x, tl::correction<0>) + tl::cov(x) + tl::corrcoef(x);
#else
  return tl::cov(x, 0) + tl::cov(x, tl::keep_dims) + tl::corrcoef(x, 1);
#endif
};

int main() { model(); }
