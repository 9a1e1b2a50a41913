// SPDX-License-Identifier: BSL-1.0
// var<axes...>(x): the variance.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/mean.hpp>
#include <tapeless/ops/reduction/reduction_options.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

/// One of the elements over the axes, which are kept: the first, or the largest where there may be none. No
/// derivative flows through it.
constexpr value one_of(value x, unsigned axes) {
  value first = x;
  for (int i = 0; i < x.rank(); ++i) {
    if ((axes >> i & 1u) == 0) continue;
    if (x.get().shape[i] <= 0) return stop_gradient(max_reduction_operation::build(x, axes, true));
    first = slice(first, i, 0, 1, 1);
  }
  return stop_gradient(first);
}

/// x less its mean over the axes. The mean is taken of the differences from one of the elements: so equal
/// ones deviate by exactly 0, and the digits that all have in common are not lost.
constexpr value deviation(value x, unsigned axes) {
  const value one = one_of(x, axes);
  return x - (mean_operation::build(x - one, axes, true) + one);
}

/// max(count - correction, 0)
constexpr value degrees_of_freedom(graph& g, std::int64_t count, double correction) {
  if (!extent_table::is_literal(count)) return max(make_size(g, count) - correction, 0.0);
  const auto n = static_cast<double>(count);
  return make_constant(g, n > correction ? n - correction : 0);
}

}  // namespace detail

template <double Correction>
struct var_operation {
  static constexpr std::string_view name = "var";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr value build(value x, unsigned axes, bool keep) {
    return detail::at_least_float(x, [&](value of) { return variance(of, axes, keep); });
  }

 private:
  static constexpr value variance(value x, unsigned axes, bool keep) {
    const value squares = square(detail::deviation(x, axes));
    return sum_operation::build(squares, axes, keep) /
           detail::degrees_of_freedom(*x.builder, detail::count_over(x, axes), Correction);
  }
};

/// sum((x - mean(x))^2) / (n - N) over Axes (all where none is named) of n elements, which are dropped.
/// Behind x, in any order: correction<N> (1 where it is not given: the unbiased estimate), and keep_dims,
/// with which the axes stay with extent 1. Not finite where n <= N.
/// @formula y = sum_i (x_i - mean)^2 / (n - N)
/// @shapes floating [..] -> without the axes
/// @errors reduction_axis element_kinds
/// @torch torch.var
/// @jax jnp.var(ddof=1)
/// @given x = [1, 2, 3, 6]
/// @gives tl::var(x) = 4.667
/// @gives tl::var(x, tl::correction<0>) = 3.5
template <axis_number auto... Axes, reduction_operand X, variance_option... Options>
TAPELESS_FACTORY auto var(X x, Options...) {
  constexpr detail::reduction_options o = detail::options_of<Options...>();
  return make<reduction_statement<var_operation<o.correction>, o.keep, Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous var(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
