// SPDX-License-Identifier: BSL-1.0
// i0(x): the modified Bessel function of the first kind, of order 0.
#pragma once

#include <tapeless/ops/pointwise/modified_bessel.hpp>

namespace tapeless {

/// The modified Bessel function of the first kind of order 0, element by element: an even function, 1 at 0,
/// that grows as e^|x| / sqrt(2 pi |x|).
/// @formula y = I_0(x) = sum_k (x/2)^(2k) / k!^2; dy/dx = I_1(x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.special.i0
/// @jax jax.scipy.special.i0
/// @given x = [-1, 0, 20]
/// @gives tl::i0(x) = [1.266, 1, 4.356e+07]
constexpr value i0(is_value auto x) {
  return make<modified_bessel_operation<detail::bessel_order{0, false}>>(x);
}
TAPELESS_FACTORY auto i0(expression_operand auto x) {
  return make<modified_bessel_operation<detail::bessel_order{0, false}>>(x);
}

}  // namespace tapeless
