// SPDX-License-Identifier: BSL-1.0
// ones<T, E...>(): 1 in a shape.
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

}  // namespace tapeless
