// SPDX-License-Identifier: BSL-1.0
// A matrix norm of an order that is none.
// expect: matrix_norm takes the orders 1, -1, 2, -2, infinity and -infinity, or tl::nuclear; without one it
// expect: is Frobenius' norm
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/linalg.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int order = 2;
#else
constexpr int order = 3;
#endif

constexpr auto model = [] { return tl::matrix_norm(tl::input<"x", float, 2, 3>, tl::order<order>); };

int main() { tl::function f{model}; }
