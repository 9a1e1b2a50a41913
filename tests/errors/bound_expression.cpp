// SPDX-License-Identifier: BSL-1.0
// An expression of Eigen's has no elements that could be read.
// both compilers
// expect: an expression of Eigen's has no elements in memory: bind what it is assigned to, or its .eval()
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <Eigen/Core>
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return 2_c * tl::input<"x", float, 2, 3>; };

int main() {
  tl::function f{model};
  const Eigen::MatrixXf a(2, 3), b(2, 3);
#ifdef CORRECTED
  f("x"_t = (a + b).eval());
#else
  f("x"_t = a + b);
#endif
}
