// SPDX-License-Identifier: BSL-1.0
// matrix_power<n>(a): a product of equal matrices.
#pragma once

#include <tapeless/ops/linalg/inverse.hpp>

namespace tapeless {

template <int Exponent>
struct matrix_power_statement {
  static constexpr std::string_view name = "matrix_power";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    if (!detail::require_square(name, a)) return a;
    if (Exponent == 0) return detail::identity_matrices(a);
    value power = Exponent < 0 ? inverse(a) : a, result;
    for (unsigned left = Exponent < 0 ? 0u - unsigned(Exponent) : unsigned(Exponent); left != 0;) {
      if ((left & 1u) != 0) result = result.exists() ? matmul(result, power) : power;
      left >>= 1;
      if (left != 0) power = matmul(power, power);
    }
    return result;
  }
};

/// a a ... a, Exponent times, by squaring; the identity for 0, powers of the inverse below.
/// @formula y = a^Exponent
/// @shapes floating [.., n, n] -> [.., n, n]
/// @errors linear_systems
/// @torch torch.linalg.matrix_power
/// @jax jnp.linalg.matrix_power
/// @given a = [[1, 1], [0, 2]]
/// @gives tl::matrix_power<3>(a) = [[1, 7], [0, 8]]
/// @gives tl::matrix_power<-1>(a) = [[1, -0.5], [0, 0.5]]
template <int Exponent>
constexpr value matrix_power(is_value auto a) {
  return make<matrix_power_statement<Exponent>>(a);
}
template <int Exponent>
TAPELESS_FACTORY auto matrix_power(expression_operand auto a) {
  return make<matrix_power_statement<Exponent>>(a);
}

}  // namespace tapeless
