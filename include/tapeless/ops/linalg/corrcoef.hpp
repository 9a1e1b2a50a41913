// SPDX-License-Identifier: BSL-1.0
// corrcoef(x): how variables are correlated (Pearson).
#pragma once

#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/linalg/cov.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/clamp.hpp>
#include <tapeless/ops/reduction/norm.hpp>
#include <tapeless/ops/shape/permute.hpp>

namespace tapeless {

struct corrcoef_statement {
  static constexpr std::string_view name = "corrcoef";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    return detail::of_variables(x, [](value c) {
      // The result does not depend on the scale, but squares neither overflow nor vanish.
      const unsigned row = 1u << (c.rank() - 1);
      const value u = c / stop_gradient(detail::largest_size(abs(c), row, true));
      const value length = norm_operation<2.0>::build(u, row, true);
      const value y = matmul(u, transpose_last(u)) / length / transpose_last(length);
      return y + stop_gradient(clamp(y, -1.0, 1.0) - y);  // rounding could lead beyond; derivatives do not
    });
  }
};

/// The covariance of the variables i and j, divided by their standard deviations: from -1 to 1. Observations
/// are rows, as in cov. NaN where a variable does not vary.
/// @formula y_ij = cov_ij / sqrt(cov_ii cov_jj)
/// @shapes floating [.., variables, n] -> [.., variables, variables]
/// @errors element_kinds covariance_options
/// @torch torch.corrcoef
/// @jax jnp.corrcoef
/// @given x = [[1, 2, 6], [4, 2, 0]]
/// @gives tl::corrcoef(x) = [[1, -0.9449], [-0.9449, 1]]
constexpr value corrcoef(is_value auto x) { return make<corrcoef_statement>(x); }
TAPELESS_FACTORY auto corrcoef(expression_operand auto x) { return make<corrcoef_statement>(x); }

// What may not follow x.
template <reduction_operand X, class Option>
constexpr auto corrcoef(X x, Option) {
  return detail::refuse_call<sentence{"corrcoef"}, sentence{"it takes no more than the variables, as rows"},
                             sentence{"(x)"}>(x);
}

}  // namespace tapeless
