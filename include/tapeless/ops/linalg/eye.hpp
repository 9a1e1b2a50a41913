// SPDX-License-Identifier: BSL-1.0
// eye<T, n>(): the identity matrix.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/indexing/full.hpp>
#include <tapeless/ops/linalg/identity_matrix.hpp>

namespace tapeless {

template <element Type, extent N>
struct eye_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return detail::identity_matrix(g, g.extents.number(N), Type); }
};

/// The matrix [n, n] of the element type T with ones on the diagonal and zeros elsewhere. The extent may be
/// one that is known at run time.
/// @formula y[i][j] = 1 where i = j, else 0; without a derivative
/// @shapes -> T [n, n]
/// @errors constants_of_a_shape
/// @torch torch.eye
/// @jax jnp.eye
/// @gives tl::eye<float, 2>() = [[1, 0], [0, 1]]
template <element_type T, extent N>
constexpr auto eye() {
  if constexpr (detail::require_extents<N>()) {
    return leaf<eye_statement<element_of<T>, N>>{};
  } else {
    return erroneous{};
  }
}

}  // namespace tapeless
