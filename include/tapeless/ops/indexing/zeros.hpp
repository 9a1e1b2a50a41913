// SPDX-License-Identifier: BSL-1.0
// zeros<T, E...>(), zeros_like(x): 0 in a shape.
#pragma once

#include <tapeless/ops/indexing/full.hpp>

namespace tapeless {

template <element Type, extent... E>
struct zeros_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) {
    return full_statement<Type, E...>::build(make_constant(g, 0, Type));
  }
};

struct zeros_like_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return full_like_statement::build(x, make_constant(*x.builder, 0, x.type()));
  }
};

/// A value of the element type T and the shape [E...] that is 0 everywhere, without extents a scalar.
/// @formula y = 0, everywhere; without a derivative
/// @shapes -> T [E...]
/// @errors constants_of_a_shape
/// @torch torch.zeros
/// @jax jnp.zeros
/// @gives tl::zeros<float, 2, 3>() = [[0, 0, 0], [0, 0, 0]]
template <element_type T, extent... E>
constexpr auto zeros() {
  if constexpr (detail::require_extents<E...>()) {
    return leaf<zeros_statement<element_of<T>, E...>>{};
  } else {
    return erroneous{};
  }
}

/// 0 everywhere, in x's shape and element type.
/// @formula y = 0, everywhere; without a derivative
/// @shapes any type [..] -> the same
/// @torch torch.zeros_like
/// @jax jnp.zeros_like
/// @given x = [[7, 7, 7], [7, 7, 7]]
/// @gives tl::zeros_like(x) = [[0, 0, 0], [0, 0, 0]]
constexpr value zeros_like(is_value auto x) { return make<zeros_like_statement>(x); }
TAPELESS_FACTORY auto zeros_like(expression_operand auto x) { return make<zeros_like_statement>(x); }

}  // namespace tapeless
