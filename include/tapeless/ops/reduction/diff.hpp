// SPDX-License-Identifier: BSL-1.0
// diff<axis, times>(x): differences of neighbours.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

/// x without its first element along the axis, or without its last one.
constexpr value all_but_one(value x, int axis, bool first) {
  const std::int64_t rest = x.builder->extents.subtract(x.get().shape[axis], 1);
  return slice(x, axis, first ? 1 : 0, 1, rest);
}
constexpr bool has_neighbours(value x, int axis) {
  const std::int64_t extent = x.get().shape[axis];
  return !extent_table::is_literal(extent) || extent >= 1;
}

}  // namespace detail

template <int Axis, int Times>
struct diff_statement {
  static constexpr std::string_view name = "diff";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::unless_fits(Times >= 0, name, "differences 0 times or more", Times);
  }
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0 || !detail::require_kind(name, x, element_kind::numbers)) return x;
    value y = x;
    for (int i = 0; i < Times; ++i) {
      if (!detail::has_neighbours(y, axis))
        return x.fail(detail::shape_sentence(name, x) << ": axis " << Axis << " is too short");
      y = detail::all_but_one(y, axis, true) - detail::all_but_one(y, axis, false);
    }
    return y;
  }
};

/// Along the axis, each element less the one before it; of that the differences again, Times times in all.
/// @formula y_i = x_(i+1) - x_i along the axis
/// @shapes numbers [.., n, ..] -> [.., n - Times, ..]
/// @errors shapes orders_and_types
/// @torch torch.diff
/// @jax jnp.diff
/// @given x = [1, 4, 9, 16]
/// @gives tl::diff(x) = [3, 5, 7]
/// @gives tl::diff<0, 2>(x) = [2, 2]
template <int Axis = -1, int Times = 1>
TAPELESS_FACTORY auto diff(operand auto x) {
  return make<diff_statement<Axis, Times>>(x);
}

}  // namespace tapeless
