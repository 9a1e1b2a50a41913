// SPDX-License-Identifier: BSL-1.0
// complex_mul(a, b): the product of complex numbers.
#pragma once

#include <tapeless/ops/spectral/complex.hpp>

namespace tapeless {

struct complex_mul_statement {
  static constexpr std::string_view name = "complex_mul";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (!detail::require_complex(name, a) || !detail::require_complex(name, b)) return a;
    const value re = detail::part_of_pairs(a, 0), im = detail::part_of_pairs(a, 1);
    const value x = detail::part_of_pairs(b, 0), y = detail::part_of_pairs(b, 1);
    return complex_statement::build(re * x - im * y, re * y + im * x);
  }
};

/// The product of complex numbers, whose shapes broadcast.
/// @formula y = a b
/// @shapes two of one floating type [.., 2], whose shapes broadcast -> the common shape
/// @errors complex_pairs
/// @torch torch.mul
/// @jax jnp.multiply
/// @given a = [[1, 3], [2, -1]]; b = [[0, 1]]
/// @gives tl::complex_mul(a, b) = [[-3, 1], [1, 2]]
template <class A, class B>
  requires operands<A, B>
TAPELESS_FACTORY auto complex_mul(A a, B b) {
  return make<complex_mul_statement>(a, b);
}

}  // namespace tapeless
