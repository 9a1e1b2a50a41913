// SPDX-License-Identifier: BSL-1.0
// lstsq(a, b): least squares, by the pseudoinverse.
#pragma once

#include <tapeless/ops/linalg/matrix_operands.hpp>
#include <tapeless/ops/linalg/pinv.hpp>

namespace tapeless {

struct lstsq_statement {
  static constexpr std::string_view name = "lstsq";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (!detail::require_known_matrices(name, a)) return a;
    constexpr std::string_view taken = "[.., m, n] and [.., m] or [.., m, k] of one floating type";
    return detail::solution_of(name, taken, a, b, [](value left, value right) {
      left = pinv_operation::build(left, pinv_operation::usual_rtol(left));
      return detail::share_batch(left, right) ? matmul(left, right) : value{};
    });
  }
};

/// The x with the least |a x - b|, the smallest where there are several, as PyTorch's driver "gelsd" has it:
/// pinv(a) b, of vectors or matrices b as in solve. Only the solution: PyTorch's residuals, rank and singular
/// values are sum(square(a x - b)) and svdvals(a).
/// @formula x = pinv(a) b
/// @shapes floating [.., m, n] [.., m, k] -> [.., n, k]; [.., m, n] [.., m] -> [.., n]
/// @errors linear_systems
/// @torch torch.linalg.lstsq(a, b).solution
/// @jax jnp.linalg.lstsq
/// @given a = [[1, 0], [1, 1], [1, 2]]; b = [1, 2, 4]
/// @gives tl::lstsq(a, b) = [0.8333, 1.5]
template <class A, class B>
  requires value_operands<A, B>
constexpr value lstsq(A a, B b) {
  return make<lstsq_statement>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto lstsq(A a, B b) {
  return make<lstsq_statement>(a, b);
}

}  // namespace tapeless
