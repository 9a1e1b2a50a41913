// SPDX-License-Identifier: BSL-1.0
// normalize<axis>(x): vectors made as long as 1.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/norm.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <double Order, int Axis, double Eps>
struct normalize_statement {
  static constexpr std::string_view name = "normalize";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (Eps > 0) return {};
    return text() << "normalize takes an eps above 0, but got " << Eps;
  }
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    if (is_axis_of_scalar(x, Axis)) return reshape(build(detail::as_vector(x)), shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    return detail::at_least_float(x, [&](value of) {
      const value length = norm_operation<Order>::build(of, 1u << axis, true);
      return of / where(length < Eps, Eps, length);
    });
  }
};

/// x / max(|x|, Eps) along the axis, as in PyTorch axis 1 where none is given. Behind x may follow order<P>,
/// that of the norm (2 where it is not given).
/// @formula y = x / max(|x|, Eps)
/// @shapes floating [..] -> [..]
/// @errors element_kinds
/// @torch torch.nn.functional.normalize
/// @jax x / jnp.linalg.norm(x, axis=1, keepdims=True)
/// @given x = [[3, 4], [0, 0]]
/// @gives tl::normalize(x) = [[0.6, 0.8], [0, 0]]
/// @gives tl::normalize<0>(x, tl::order<1>) = [[1, 1], [0, 0]]
template <int Axis = 1, double Eps = 1e-12, operand X>
TAPELESS_FACTORY auto normalize(X x) {
  return make<normalize_statement<2.0, Axis, Eps>>(x);
}
template <int Axis = 1, double Eps = 1e-12, operand X, auto P>
TAPELESS_FACTORY auto normalize(X x, order_t<P>) {
  return make<normalize_statement<static_cast<double>(P), Axis, Eps>>(x);
}

}  // namespace tapeless
