// SPDX-License-Identifier: BSL-1.0
// i1(x): the modified Bessel function of the first kind, of order 1.
#pragma once

#include <tapeless/ops/pointwise/modified_bessel.hpp>

namespace tapeless {

/// The modified Bessel function of the first kind of order 1, element by element: an odd function, the
/// derivative of i0.
/// @formula y = I_1(x) = sum_k (x/2)^(2k + 1) / (k! (k + 1)!); dy/dx = I_0(x) - y / x
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.special.i1
/// @jax jax.scipy.special.i1
/// @given x = [-1, 0, 20]
/// @gives tl::i1(x) = [-0.5652, 0, 4.245e+07]
constexpr value i1(is_value auto x) {
  return make<modified_bessel_operation<detail::bessel_order{1, false}>>(x);
}
TAPELESS_FACTORY auto i1(expression_operand auto x) {
  return make<modified_bessel_operation<detail::bessel_order{1, false}>>(x);
}

}  // namespace tapeless
