// SPDX-License-Identifier: BSL-1.0
// logsumexp<axes...>(x): the logarithm of a sum of exponentials, without overflow.
#pragma once

#include <limits>

#include <tapeless/ops/primitives.hpp>
#include <tapeless/ops/stop_gradient.hpp>

namespace tapeless {

namespace detail {

/// x's largest element over the axes, which are kept; no derivative flows through it.
constexpr value largest(value x, unsigned axes) {
  return stop_gradient(max_reduction_rule::build(x, axes, true));
}
/// x where it is finite, elsewhere 0.
constexpr value finite_part(value x) {
  return where(abs(x) < std::numeric_limits<double>::infinity(), x, 0.0);
}

}  // namespace detail

/// The node of the result: an alias of the value that is computed, which is operand 0, with the derivative by
/// operand 1, e^(x - y). Where all elements are -infinity, so is the result, and the derivative is 0.
struct logsumexp_rule {
  static constexpr std::string_view name = "logsumexp";
  static constexpr element_kind takes = element_kind::floating;

  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if (k == 0) return {};
    const auto axes = static_cast<unsigned>(y.get().attributes[0]);
    const shape_list kept = reduction_rule<sum_rule>::kept_shape(x[1], axes);
    return reshape(g, kept) * exp(x[1] - reshape(detail::finite_part(y), kept));
  }
  static constexpr operation op{name, family::alias, jacobian::general, &cotangent_of};

  /// With the largest element m taken out: log(sum(e^(x - m))) + m.
  static constexpr value build(value x, unsigned axes, bool keep) {
    const value finite = detail::finite_part(max_reduction_rule::build(x, axes, false));
    const value shifted = x - reshape(finite, reduction_rule<sum_rule>::kept_shape(x, axes));
    const value y = log(sum_rule::build(exp(shifted), axes, false)) + finite;
    node n = detail::unary_node(op, y, shape_of(y));
    n.operands[n.operand_count++] = x.id;
    n.attributes[0] = axes;
    const value result = y.insert(n);
    return keep ? reshape(result, reduction_rule<sum_rule>::kept_shape(x, axes)) : result;
  }
};

/// log(sum(e^x)) over Axes (all where none is named), which are dropped, or kept with extent 1.
template <int... Axes, reduction_operand X>
constexpr auto logsumexp(X x) {
  return make<reduction_cell<logsumexp_rule, false, Axes...>>(x);
}
template <int... Axes, reduction_operand X>
constexpr auto logsumexp(X x, keep_dims_t) {
  return make<reduction_cell<logsumexp_rule, true, Axes...>>(x);
}

}  // namespace tapeless
