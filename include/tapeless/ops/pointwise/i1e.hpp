// SPDX-License-Identifier: BSL-1.0
// i1e(x): i1(x), divided by e^|x|.
#pragma once

#include <tapeless/ops/pointwise/modified_bessel.hpp>

namespace tapeless {

/// e^-|x| times the modified Bessel function of the first kind of order 1, element by element: it does not
/// overflow.
/// @formula y = e^-|x| I_1(x); dy/dx = e^-|x| I_0(x) - y (sign(x) + 1/x)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.special.i1e
/// @jax jax.scipy.special.i1e
/// @given x = [-1, 0, 20]
/// @gives tl::i1e(x) = [-0.2079, 0, 0.08751]
constexpr value i1e(is_value auto x) {
  return make<modified_bessel_operation<detail::bessel_order{1, true}>>(x);
}
TAPELESS_FACTORY auto i1e(expression_operand auto x) {
  return make<modified_bessel_operation<detail::bessel_order{1, true}>>(x);
}

}  // namespace tapeless
