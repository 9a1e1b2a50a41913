// SPDX-License-Identifier: BSL-1.0
// complex(a, b): complex numbers of their parts.
#pragma once

#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/spectral/complex_pairs.hpp>

namespace tapeless {

struct complex_statement {
  static constexpr std::string_view name = "complex";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    value x[] = {a, b};
    element type{};
    shape_list shape;
    if (!detail::require_common_type(name, x, 0, 2, element_kind::floating, type)) return a;
    if (!broadcast(shape_of(a), shape_of(b), shape)) return detail::shapes_do_not_fit(name, x, 2);
    if (shape.rank == max_rank)
      return a.fail(text() << "complex takes at most " << max_rank - 1 << " axes: pairs need one more");
    return detail::pairs_of(expand(cast(a, type), shape), expand(cast(b, type), shape));
  }
};

/// Complex numbers of real parts and imaginary parts, whose shapes broadcast: pairs along a new last axis.
/// Zeros may be 0_c.
/// @formula y = a + i b
/// @shapes two of one floating type, whose shapes broadcast -> the common shape and [.., 2]
/// @errors complex_pairs
/// @torch torch.complex
/// @jax jax.lax.complex
/// @given a = [1, 2]; b = [3, -1]
/// @gives tl::complex(a, b) = [[1, 3], [2, -1]]
/// @gives tl::complex(a, 0_c) = [[1, 0], [2, 0]]
template <class A, class B>
  requires operands<A, B>
TAPELESS_FACTORY auto complex(A a, B b) {
  return make<complex_statement>(a, b);
}

}  // namespace tapeless
