// SPDX-License-Identifier: BSL-1.0
// max<axes...>(x): the largest element over the axes; ties share the gradient evenly.
#pragma once

#include <limits>

#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/primitive/sum.hpp>
#include <tapeless/ops/primitive/where.hpp>
#include <tapeless/ops/reduction.hpp>

namespace tapeless {

struct max_reduction_rule : reduction_rule<max_reduction_rule> {
  static constexpr std::string_view name = "max";
  template <class T>
  static constexpr T identity = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                     : std::numeric_limits<T>::lowest();
  static constexpr auto combine(auto a, auto b) { return larger(a, b); }
  static constexpr value cotangent(value g, value x, value y) {
    const value tied = x == y;
    const value count = sum_rule::build(cast(tied, x.type()), reduced_axes(x, y), true);
    return where(tied, g / count, 0.0);
  }
  static constexpr operation op{name, family::reduction, jacobian::general, &cotangent_of};
};

/// The largest element over Axes (all where none is named), which are dropped, or kept with extent 1.
/// -infinity (of whole numbers the lowest one) where there is no element; NaN where one is NaN.
template <int... Axes, reduction_operand X>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto max(X x) {
  return make<reduction_cell<max_reduction_rule, false, Axes...>>(x);
}
template <int... Axes, reduction_operand X>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto max(X x, keep_dims_t) {
  return make<reduction_cell<max_reduction_rule, true, Axes...>>(x);
}

}  // namespace tapeless
