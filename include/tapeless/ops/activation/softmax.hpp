// SPDX-License-Identifier: BSL-1.0
// softmax<axis>(x), log_softmax<axis>(x): exponentials that sum to 1 along an axis, and their logarithms.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/logsumexp.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

/// The node of a softmax: an alias of the value p that is computed, which is operand 0, with the derivative
/// by operand 1, scale * p (g - sum(g p)); the scale is the node's number. Where p is 0 this is exact and
/// finite, whatever the operand.
struct softmax_operation {
  static constexpr value cotangent_of(int k, value g, const value*, value y) {
    if (k == 0) return {};
    const value expected = sum_operation::build(g * y, axes_of(y.get()), true);
    return y * (g - expected) * y.get().number;
  }
  // The Jacobian is symmetric.
  static constexpr operation op{"softmax", family::alias, jacobian::diagonal, &cotangent_of};
};

namespace detail {

/// The softmax of scale * x over the axes, among the elements where `mask`, if it exists, is true; the others
/// get 0. Where there is none, or (`may_be_empty`) none is above `nothing`, all get 0.
constexpr value softmax(value x, unsigned axes, value mask, double scale, bool may_be_empty,
                        double nothing = -std::numeric_limits<double>::infinity()) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool masked = mask.exists();
  const value of = cast(x, computed_in(x.type()));  // a sum in 16 bits could overflow
  value largest = max_reduction_operation::build(masked ? where(mask, of, -infinity) : of, axes, true);
  if (may_be_empty) largest = where(largest <= nothing, 0.0, largest);  // -infinity less it is that again
  value terms = exp((of - largest) * scale);
  if (masked) terms = where(mask, terms, 0.0);
  value total = sum_operation::build(terms, axes, true);
  if (may_be_empty) total = max(total, 1.0);  // the largest term is 1, where there is any
  const value weights = cast(terms / total, x.type());
  node n = unary_node(softmax_operation::op, weights, shape_of(weights));
  n.operands[n.operand_count++] = x.id;
  set_axes(n, axes);
  n.number = scale;
  return weights.insert(n);
}

/// The logarithm of the softmax of x over the axes.
constexpr value log_softmax(value x, unsigned axes) {
  return at_least_float(x, [&](value of) {
    const value shifted = of - finite_part(largest(of, axes));
    const value total = sum_operation::build(exp(shifted), axes, true);
    return shifted - log(where(total == 0.0, 1.0, total));
  });
}

}  // namespace detail

template <int Axis>
struct softmax_statement {
  static constexpr int arity = 1;
  static constexpr std::string_view name = "softmax";
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    return detail::softmax(x, detail::axis_mask<Axis>(name, x), {}, 1, true);
  }
};

template <int Axis>
struct log_softmax_statement {
  static constexpr int arity = 1;
  static constexpr std::string_view name = "log_softmax";
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    return detail::log_softmax(x, detail::axis_mask<Axis>(name, x));
  }
};

/// e^x / sum(e^x) along the axis (the last one where none is given), without overflow. Elements that are
/// -infinity get 0 and the gradient 0, also where all of them are.
/// @formula y_i = e^(x_i) / sum_j e^(x_j); the gradient is y (g - sum(g y))
/// @shapes floating [..] -> [..]
/// @errors reduction_axis element_kinds
/// @torch torch.softmax
/// @jax jax.nn.softmax
/// @given x = [[1, 2, 3], [0, 0, 0]]
/// @gives tl::softmax(x) = [[0.09003, 0.2447, 0.6652], [0.3333, 0.3333, 0.3333]]
template <int Axis = -1, reduction_operand X>
TAPELESS_FACTORY auto softmax(X x) {
  return make<softmax_statement<Axis>>(x);
}

/// x - log(sum(e^x)) along the axis (the last one where none is given), without overflow; -infinity where x
/// is.
/// @formula y_i = x_i - log(sum_j e^(x_j))
/// @shapes floating [..] -> [..]
/// @errors reduction_axis element_kinds
/// @torch torch.log_softmax
/// @jax jax.nn.log_softmax
/// @given x = [[1, 2, 3], [0, 0, 0]]
/// @gives tl::log_softmax(x) = [[-2.408, -1.408, -0.4076], [-1.099, -1.099, -1.099]]
template <int Axis = -1, reduction_operand X>
TAPELESS_FACTORY auto log_softmax(X x) {
  return make<log_softmax_statement<Axis>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous softmax(detail::any_expression, detail::axis_as_argument, ...) { return {}; }
constexpr erroneous log_softmax(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
