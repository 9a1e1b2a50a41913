// SPDX-License-Identifier: BSL-1.0
// i0e(x): i0(x), divided by e^|x|.
#pragma once

#include <tapeless/ops/pointwise/modified_bessel.hpp>

namespace tapeless {

/// e^-|x| times the modified Bessel function of the first kind of order 0, element by element: it does not
/// overflow.
/// @formula y = e^-|x| I_0(x); dy/dx = e^-|x| I_1(x) - sign(x) y
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.special.i0e
/// @jax jax.scipy.special.i0e
/// @given x = [-1, 0, 20]
/// @gives tl::i0e(x) = [0.4658, 1, 0.08978]
constexpr value i0e(is_value auto x) {
  return make<modified_bessel_operation<detail::bessel_order{0, true}>>(x);
}
TAPELESS_FACTORY auto i0e(expression_operand auto x) {
  return make<modified_bessel_operation<detail::bessel_order{0, true}>>(x);
}

}  // namespace tapeless
