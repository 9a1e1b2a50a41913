// SPDX-License-Identifier: BSL-1.0
// zeros<T, E...>(): 0 in a shape.
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

}  // namespace tapeless
