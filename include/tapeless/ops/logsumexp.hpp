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

/// With the largest element m taken out: log(sum(e^(x - m))) + m. Where all elements are -infinity, so is the
/// result, and the gradient is 0.
struct logsumexp_rule {
  static constexpr std::string_view name = "logsumexp";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr value build(value x, unsigned axes, bool keep) {
    const value largest = detail::largest(x, axes), finite = detail::finite_part(largest);
    const value total = sum_rule::build(exp(x - finite), axes, true);
    const value empty = largest == -std::numeric_limits<double>::infinity();
    const value y = where(empty, largest, log(where(empty, 1.0, total)) + finite);
    if (keep) return y;
    node n;  // the shape without the reduced axes
    for (int i = 0; i < x.rank(); ++i)
      if ((axes >> i & 1u) == 0) n.shape[n.rank++] = x.get().shape[i];
    shape_list s{n.rank, {}};
    for (int i = 0; i < n.rank; ++i) s.extents[i] = n.shape[i];
    return reshape(y, s);
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
