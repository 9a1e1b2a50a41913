// SPDX-License-Identifier: BSL-1.0
// A matrix norm that is made of singular values.
// expect: matrix_norm takes the orders 1, -1, infinity and -infinity, and without one it is Frobenius' norm;
// expect: orders 2 and -2 and the nuclear norm are made of singular values
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/reduction.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int order = 1;
#else
constexpr int order = 2;
#endif

constexpr auto model = [] { return tl::matrix_norm(tl::input<"x", float, 2, 3>, tl::order<order>); };

int main() { tl::function f{model}; }
