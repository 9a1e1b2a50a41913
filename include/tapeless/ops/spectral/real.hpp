// SPDX-License-Identifier: BSL-1.0
// real(z): the real parts of complex numbers.
#pragma once

#include <tapeless/ops/spectral/complex_pairs.hpp>

namespace tapeless {

struct real_statement {
  static constexpr std::string_view name = "real";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    return detail::require_complex(name, z) ? detail::part_of_pairs(z, 0) : z;
  }
};

/// The real parts of complex numbers.
/// @formula y = Re z
/// @shapes floating [.., 2] -> [..]
/// @errors complex_pairs
/// @torch torch.real
/// @jax jnp.real
/// @given z = [[1, 3], [2, -1]]
/// @gives tl::real(z) = [1, 2]
TAPELESS_FACTORY auto real(operand auto z) { return make<real_statement>(z); }

}  // namespace tapeless
