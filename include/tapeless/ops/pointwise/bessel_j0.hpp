// SPDX-License-Identifier: BSL-1.0
// bessel_j0(x): the Bessel function of the first kind, of order 0.
#pragma once

#include <tapeless/ops/pointwise/bessel_operations.hpp>

namespace tapeless {

/// The Bessel function of the first kind of order 0, element by element: an even function, 1 at 0, whose
/// waves have the height sqrt(2 / (pi |x|)).
/// @formula y = J_0(x) = sum_k (-x^2/4)^k / k!^2; dy/dx = -J_1(x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.special.bessel_j0
/// @jax none
/// @given x = [-1, 0, 20]
/// @gives tl::bessel_j0(x) = [0.7652, 1, 0.167]
constexpr value bessel_j0(is_value auto x) { return make<bessel_operation<0>>(x); }
TAPELESS_FACTORY auto bessel_j0(expression_operand auto x) { return make<bessel_operation<0>>(x); }

}  // namespace tapeless
