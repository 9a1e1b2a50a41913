// SPDX-License-Identifier: BSL-1.0
// conj(z): the conjugates of complex numbers.
#pragma once

#include <tapeless/ops/spectral/complex_pairs.hpp>

namespace tapeless {

struct conj_statement {
  static constexpr std::string_view name = "conj";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    return detail::require_complex(name, z) ? detail::conjugate(z) : z;
  }
};

/// The conjugates of complex numbers.
/// @formula y = Re z - i Im z
/// @shapes floating [.., 2] -> [.., 2]
/// @errors complex_pairs
/// @torch torch.conj
/// @jax jnp.conj
/// @given z = [[1, 3], [2, -1]]
/// @gives tl::conj(z) = [[1, -3], [2, 1]]
TAPELESS_FACTORY auto conj(operand auto z) { return make<conj_statement>(z); }

}  // namespace tapeless
