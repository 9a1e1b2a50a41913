// SPDX-License-Identifier: BSL-1.0
// inverse(a): the inverse of square matrices.
#pragma once

#include <tapeless/ops/linalg/lu.hpp>
#include <tapeless/ops/linalg/matrix_operands.hpp>
#include <tapeless/ops/pointwise/cast.hpp>

namespace tapeless {

struct inverse_statement {
  static constexpr std::string_view name = "inverse";
  static constexpr int arity = 1;
  static constexpr value build(value a) {
    if (!detail::require_square(name, a)) return a;
    return detail::at_least_float(
        a, [](value x) { return solve_by_lu(x, detail::identity_matrices(x), false); });
  }
};

/// The inverse of square matrices; infinite or NaN where a is singular. Who multiplies it by something takes
/// solve.
/// @formula a y = 1; dy = -y da y
/// @shapes floating [.., n, n] -> [.., n, n]
/// @errors linear_systems
/// @torch torch.linalg.inv
/// @jax jnp.linalg.inv
/// @given a = [[2, 0], [1, 4]]
/// @gives tl::inverse(a) = [[0.5, 0], [-0.125, 0.25]]
constexpr value inverse(is_value auto a) { return make<inverse_statement>(a); }
TAPELESS_FACTORY auto inverse(expression_operand auto a) { return make<inverse_statement>(a); }

}  // namespace tapeless
