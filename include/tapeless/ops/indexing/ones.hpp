// SPDX-License-Identifier: BSL-1.0
// ones<T, E...>(), ones_like(x): 1 in a shape.
#pragma once

#include <tapeless/ops/indexing/full.hpp>

namespace tapeless {

template <element Type, extent... E>
struct ones_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) {
    return full_statement<Type, E...>::build(make_constant(g, 1, Type));
  }
};

struct ones_like_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return full_like_statement::build(x, make_constant(*x.builder, 1, x.type()));
  }
};

/// A value of the element type T and the shape [E...] that is 1 everywhere, without extents a scalar.
/// @formula y = 1, everywhere; without a derivative
/// @shapes -> T [E...]
/// @errors constants_of_a_shape
/// @torch torch.ones
/// @jax jnp.ones
/// @gives tl::ones<float, 2, 3>() = [[1, 1, 1], [1, 1, 1]]
template <element_type T, extent... E>
constexpr auto ones() {
  if constexpr (detail::require_extents<E...>()) {
    return leaf<ones_statement<element_of<T>, E...>>{};
  } else {
    return erroneous{};
  }
}

/// 1 everywhere, in x's shape and element type.
/// @formula y = 1, everywhere; without a derivative
/// @shapes any type [..] -> the same
/// @torch torch.ones_like
/// @jax jnp.ones_like
/// @given x = [[7, 7, 7], [7, 7, 7]]
/// @gives tl::ones_like(x) = [[1, 1, 1], [1, 1, 1]]
constexpr value ones_like(is_value auto x) { return make<ones_like_statement>(x); }
TAPELESS_FACTORY auto ones_like(expression_operand auto x) { return make<ones_like_statement>(x); }

}  // namespace tapeless
