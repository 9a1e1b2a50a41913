// SPDX-License-Identifier: BSL-1.0
// imag(z): the imaginary parts of complex numbers.
#pragma once

#include <tapeless/ops/spectral/complex_pairs.hpp>

namespace tapeless {

struct imag_statement {
  static constexpr std::string_view name = "imag";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    return detail::require_complex(name, z) ? detail::part_of_pairs(z, 1) : z;
  }
};

/// The imaginary parts of complex numbers.
/// @formula y = Im z
/// @shapes floating [.., 2] -> [..]
/// @errors complex_pairs
/// @torch torch.imag
/// @jax jnp.imag
/// @given z = [[1, 3], [2, -1]]
/// @gives tl::imag(z) = [3, -1]
TAPELESS_FACTORY auto imag(operand auto z) { return make<imag_statement>(z); }

}  // namespace tapeless
