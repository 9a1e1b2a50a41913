// SPDX-License-Identifier: BSL-1.0
// cummax<axis>(x), cummin<axis>(x): the largest and the smallest of all elements so far.
#pragma once

#include <tapeless/ops/indexing/sort.hpp>
#include <tapeless/ops/pointwise/neg.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/cumulative_largest.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <int Axis, bool Largest>
struct cumulative_place_statement {
  static constexpr std::string_view name = Largest ? "cummax" : "cummin";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (is_axis_of_scalar(x, Axis)) return reshape(build(detail::as_vector(x)), shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0 || !detail::require_kind(name, x, element_kind::numbers)) return x;
    // Of integers -1 - x turns the order round without a sign, too, and does not wrap.
    const value v = Largest ? x : is_integer(x.type()) ? -x - 1.0 : -x, most = cumulative_largest(v, axis);
    const value place = make_iota(*x.builder, shape_of(x), axis, element::i64);
    return cumulative_largest(where(v == most || v != v, place, 0), axis);
  }
};

/// The largest of x's elements 0 to i along the axis, as `values`, and where it is, as `indices`: of equal
/// ones the last. auto [values, indices] = cummax<0>(x). From a NaN on all are NaN. The derivative goes to
/// the element where it is.
/// @formula y_i = max(x_0, ..., x_i)
/// @shapes numbers [..] -> values [..] and std::int64_t [..]
/// @errors axes_and_counts
/// @torch torch.cummax
/// @jax jax.lax.cummax
/// @given x = [1, 3, 2, 3, 5]
/// @gives tl::cummax<0>(x).values = [1, 3, 3, 3, 5]
/// @gives tl::cummax<0>(x).indices = [0, 1, 1, 3, 4]
template <int Axis, operand X>
TAPELESS_FACTORY auto cummax(X x) {
  const auto indices = make<cumulative_place_statement<Axis, true>>(x);
  return values_and_indices{take_along<Axis>(x, indices), indices};
}

/// The smallest of x's elements 0 to i along the axis, as cummax has the largest.
/// @formula y_i = min(x_0, ..., x_i)
/// @shapes numbers [..] -> values [..] and std::int64_t [..]
/// @errors axes_and_counts
/// @torch torch.cummin
/// @jax jax.lax.cummin
/// @given x = [4, 3, 5, 3, 1]
/// @gives tl::cummin<0>(x).values = [4, 3, 3, 3, 1]
/// @gives tl::cummin<0>(x).indices = [0, 1, 1, 3, 4]
template <int Axis, operand X>
TAPELESS_FACTORY auto cummin(X x) {
  const auto indices = make<cumulative_place_statement<Axis, false>>(x);
  return values_and_indices{take_along<Axis>(x, indices), indices};
}

}  // namespace tapeless
