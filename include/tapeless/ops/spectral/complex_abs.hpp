// SPDX-License-Identifier: BSL-1.0
// complex_abs(z): the lengths of complex numbers.
#pragma once

#include <tapeless/ops/pointwise/hypot.hpp>
#include <tapeless/ops/spectral/complex_pairs.hpp>

namespace tapeless {

struct complex_abs_statement {
  static constexpr std::string_view name = "complex_abs";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    if (!detail::require_complex(name, z)) return z;
    return hypot(detail::part_of_pairs(z, 0), detail::part_of_pairs(z, 1));
  }
};

/// The lengths of complex numbers; the derivative at 0 is 0. (tl::abs takes pairs for what they are: real
/// numbers.)
/// @formula y = |z|
/// @shapes floating [.., 2] -> [..]
/// @errors complex_pairs
/// @torch torch.abs
/// @jax jnp.abs
/// @given z = [[3, 4], [0, -2]]
/// @gives tl::complex_abs(z) = [5, 2]
TAPELESS_FACTORY auto complex_abs(operand auto z) { return make<complex_abs_statement>(z); }

}  // namespace tapeless
