// SPDX-License-Identifier: BSL-1.0
// std<axes...>(x): the standard deviation.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/var.hpp>

namespace tapeless {

template <double Correction>
struct std_operation {
  static constexpr std::string_view name = "std";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr value build(value x, unsigned axes, bool keep) {
    return detail::at_least_float(x, [&](value of) {
      const value variance = var_operation<Correction>::build(of, axes, keep), zero = variance == 0.0;
      return where(zero, 0.0, sqrt(where(zero, 1.0, variance)));
    });
  }
};

/// sqrt(var(x)), with var's axes and options; where it is 0 so is the derivative.
/// @formula y = sqrt(sum_i (x_i - mean)^2 / (n - N))
/// @shapes floating [..] -> without the axes
/// @errors reduction_axis element_kinds
/// @torch torch.std
/// @jax jnp.std(ddof=1)
/// @given x = [1, 2, 3, 6]
/// @gives tl::std(x) = 2.16
/// @gives tl::std(x, tl::correction<0>) = 1.871
template <axis_number auto... Axes, reduction_operand X, variance_option... Options>
TAPELESS_FACTORY auto std(X x, Options...) {
  constexpr detail::reduction_options o = detail::options_of<Options...>();
  return make<reduction_statement<std_operation<o.correction>, o.keep, Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous std(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
