// SPDX-License-Identifier: BSL-1.0
// iota<T, E...>(), iota_like<axis>(x): 0, 1, 2, ... along an axis.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/given_extents.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

template <element Type, extent... E>
struct iota_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) {
    return make_iota(g, {sizeof...(E), {g.extents.number(E)...}}, sizeof...(E) - 1, Type);
  }
};

template <int Axis>
struct iota_like_statement {
  static constexpr std::string_view name = "iota_like";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    return make_iota(*x.builder, shape_of(x), axis, x.type());
  }
};

/// A value of the shape [E...] that holds 0, 1, 2, ... along its last axis.
/// @formula y[.., i] = i along the last axis; without a derivative
/// @shapes -> T [E...]
/// @errors constants_of_a_shape
/// @torch torch.arange
/// @jax jnp.arange
/// @gives tl::iota<float, 4>() = [0, 1, 2, 3]
template <element_type T, extent... E>
constexpr auto iota() {
  static_assert(sizeof...(E) > 0, "tapeless: iota takes an element type and a shape: tl::iota<float, 4>()");
  if constexpr (sizeof...(E) > 0 && detail::require_extents<E...>()) {
    return leaf<iota_statement<element_of<T>, E...>>{};
  } else {
    return erroneous{};
  }
}

/// 0, 1, 2, ... along the axis (the last one where none is given), in x's shape and element type.
/// @formula y[.., i, ..] = i along the axis; without a derivative
/// @shapes [..] -> the same
/// @errors shapes
/// @torch torch.arange(n).expand_as(x)
/// @jax jax.lax.broadcasted_iota
/// @given x = [[7, 7, 7], [7, 7, 7]]
/// @gives tl::iota_like(x) = [[0, 1, 2], [0, 1, 2]]
template <int Axis = -1>
constexpr value iota_like(is_value auto x) {
  return make<iota_like_statement<Axis>>(x);
}
template <int Axis = -1>
TAPELESS_FACTORY auto iota_like(expression_operand auto x) {
  return make<iota_like_statement<Axis>>(x);
}

}  // namespace tapeless
