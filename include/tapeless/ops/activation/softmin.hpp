// SPDX-License-Identifier: BSL-1.0
// softmin<axis>(x): exponentials of the negative, which sum to 1 along an axis.
#pragma once

#include <tapeless/ops/activation/softmax.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <int Axis>
struct softmin_statement {
  static constexpr int arity = 1;
  static constexpr std::string_view name = "softmin";
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    return detail::softmax(-x, detail::axis_mask<Axis>(name, x), {}, 1, true);
  }
};

/// softmax(-x) along the axis, the last one where none is given: the smallest element gets the most.
/// @formula y_i = e^(-x_i) / sum_j e^(-x_j)
/// @shapes floating [..] -> [..]
/// @errors reduction_axis element_kinds
/// @torch torch.nn.functional.softmin
/// @jax jax.nn.softmax(-x)
/// @given x = [[1, 2, 3], [0, 0, 0]]
/// @gives tl::softmin(x) = [[0.6652, 0.2447, 0.09003], [0.3333, 0.3333, 0.3333]]
template <int Axis = -1, reduction_operand X>
TAPELESS_FACTORY auto softmin(X x) {
  return make<softmin_statement<Axis>>(x);
}

}  // namespace tapeless
