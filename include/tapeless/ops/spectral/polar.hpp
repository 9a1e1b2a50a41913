// SPDX-License-Identifier: BSL-1.0
// polar(length, angle): complex numbers of lengths and angles.
#pragma once

#include <tapeless/ops/pointwise/cos.hpp>
#include <tapeless/ops/pointwise/sin.hpp>
#include <tapeless/ops/spectral/complex.hpp>

namespace tapeless {

struct polar_statement {
  static constexpr std::string_view name = "polar";
  static constexpr int arity = 2;
  static constexpr value build(value length, value angle) {
    return complex_statement::build(length * cos(angle), length * sin(angle));
  }
};

/// Complex numbers of these lengths and angles, whose shapes broadcast.
/// @formula y = length e^(i angle)
/// @shapes two of one floating type, whose shapes broadcast -> the common shape and [.., 2]
/// @errors complex_pairs
/// @torch torch.polar
/// @jax none
/// @given r = [1, 2]; t = [0, 1]
/// @gives tl::polar(r, t) = [[1, 0], [1.081, 1.683]]
template <class R, class T>
  requires operands<R, T>
TAPELESS_FACTORY auto polar(R length, T angle) {
  return make<polar_statement>(length, angle);
}

}  // namespace tapeless
