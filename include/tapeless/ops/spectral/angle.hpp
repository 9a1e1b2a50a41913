// SPDX-License-Identifier: BSL-1.0
// angle(z): the angles of complex numbers.
#pragma once

#include <tapeless/ops/pointwise/atan2.hpp>
#include <tapeless/ops/spectral/complex_pairs.hpp>

namespace tapeless {

struct angle_statement {
  static constexpr std::string_view name = "angle";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    if (!detail::require_complex(name, z)) return z;
    return atan2(detail::part_of_pairs(z, 1), detail::part_of_pairs(z, 0));
  }
};

/// The angles of complex numbers in [-pi, pi]; that of 0 is 0, and so is its derivative.
/// @formula y = atan2(Im z, Re z)
/// @shapes floating [.., 2] -> [..]
/// @errors complex_pairs
/// @torch torch.angle
/// @jax jnp.angle
/// @given z = [[1, 1], [-2, 0]]
/// @gives tl::angle(z) = [0.7854, 3.142]
TAPELESS_FACTORY auto angle(operand auto z) { return make<angle_statement>(z); }

}  // namespace tapeless
