// SPDX-License-Identifier: BSL-1.0
// logsumexp<axes...>(x): the logarithm of a sum of exponentials, without overflow.
#pragma once

#include <limits>

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

namespace detail {

/// x's largest element over the axes, which are kept; no derivative flows through it.
constexpr value largest(value x, unsigned axes) {
  return stop_gradient(max_reduction_operation::build(x, axes, true));
}
/// x where it is finite, elsewhere 0.
constexpr value finite_part(value x) {
  return where(abs(x) < std::numeric_limits<double>::infinity(), x, 0.0);
}

}  // namespace detail

/// With the largest element m taken out: y = log(sum(e^(x - m))) + m. The logarithm's node is an alias with
/// the operands
///   the logarithm itself
///   x, by which the derivative is e^(x - m) / sum(e^(x - m))
///   m and the sum, since e^(x - y) would lose digits where y is large
/// Where all elements are -infinity, so is the result, and the derivative is 0.
struct logsumexp_operation {
  static constexpr std::string_view name = "logsumexp";
  static constexpr element_kind takes = element_kind::floating;

  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if (k != 1) return {};
    const shape_list kept = keep_dims_shape(x[1], axes_of(y.get()));
    // No maximum with 1: a sum may be just that, and half of the next derivative would go the other way.
    const value share = g / where(x[3] == 0.0, 1.0, x[3]);
    return reshape(share, kept) * exp(x[1] - reshape(x[2], kept));
  }
  static constexpr operation op{name, family::alias, jacobian::general, &cotangent_of};

  /// The result as a sum of two, so that what is taken off it can be taken off the large one first.
  struct parts {
    value largest;  // m, without a derivative; 0 where that is not finite
    value rest;     // log(sum(e^(x - m)))
  };
  static constexpr parts parts_of(value x, unsigned axes) {
    const value m = detail::finite_part(stop_gradient(max_reduction_operation::build(x, axes, false)));
    const value sum = sum_operation::build(exp(x - reshape(m, keep_dims_shape(x, axes))), axes, false);
    const value rest = log(sum);
    node n = detail::unary_node(op, rest, shape_of(rest));
    for (const value& operand : {x, m, sum}) n.operands[n.operand_count++] = operand.id;
    set_axes(n, axes);
    return {m, rest.insert(n)};
  }

  static constexpr value build(value x, unsigned axes, bool keep) {
    const value result = detail::at_least_float(x, [&](value of) {
      const parts y = parts_of(of, axes);
      return y.rest + y.largest;
    });
    return keep ? reshape(result, keep_dims_shape(x, axes)) : result;
  }

 private:
  static constexpr shape_list keep_dims_shape(value x, unsigned axes) {
    return reduction_operation<sum_operation>::keep_dims_shape(x, axes);
  }
};

/// log(sum(e^x)) over Axes (all where none is named), which are dropped, or kept with extent 1.
/// @formula y = log(sum_i e^(x_i)); dy/dx = softmax(x)
/// @shapes floating [..] -> without the axes
/// @errors reduction_axis element_kinds
/// @torch torch.logsumexp
/// @jax jax.nn.logsumexp
/// @given x = [[1, 2, 3], [1000, 1000, 1000]]
/// @gives tl::logsumexp<1>(x) = [3.408, 1001]
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto logsumexp(X x) {
  return make<reduction_statement<logsumexp_operation, false, Axes...>>(x);
}
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto logsumexp(X x, keep_dims_t) {
  return make<reduction_statement<logsumexp_operation, true, Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous logsumexp(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
