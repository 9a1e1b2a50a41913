// SPDX-License-Identifier: BSL-1.0
// bessel_j1(x): the Bessel function of the first kind, of order 1.
#pragma once

#include <tapeless/ops/pointwise/bessel_operations.hpp>

namespace tapeless {

/// The Bessel function of the first kind of order 1, element by element: an odd function whose waves have the
/// height sqrt(2 / (pi |x|)).
/// @formula y = J_1(x) = x/2 sum_k (-x^2/4)^k / (k! (k + 1)!); dy/dx = J_0(x) - y / x
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.special.bessel_j1
/// @jax none
/// @given x = [-1, 0, 20]
/// @gives tl::bessel_j1(x) = [-0.4401, 0, 0.06683]
constexpr value bessel_j1(is_value auto x) { return make<bessel_operation<1>>(x); }
TAPELESS_FACTORY auto bessel_j1(expression_operand auto x) { return make<bessel_operation<1>>(x); }

}  // namespace tapeless
