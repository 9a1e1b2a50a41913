// SPDX-License-Identifier: BSL-1.0
// trapezoid<axis>(y, x): the integral by the trapezoidal rule.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/reduction/diff.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <int Axis>
struct trapezoid_statement {
  static constexpr std::string_view name = "trapezoid";
  static constexpr int arity = 1;
  static constexpr value build(value y) { return of(y, value{}); }
  static constexpr value of(value y, value x) {
    const int axis = detail::axis_of(name, y, Axis);
    if (axis < 0 || !detail::require_kind(name, y, element_kind::floating)) return y;
    if (!detail::has_neighbours(y, axis))
      return y.fail(detail::shape_sentence(name, y) << ": axis " << Axis << " is too short");
    value both = detail::all_but_one(y, axis, true) + detail::all_but_one(y, axis, false);
    if (x.exists()) both = both * (detail::all_but_one(x, axis, true) - detail::all_but_one(x, axis, false));
    return 0.5 * sum_operation::build(both, 1u << axis, false);
  }
};

template <int Axis>
struct trapezoid_at_statement {
  static constexpr std::string_view name = "trapezoid";
  static constexpr int arity = 2;
  static constexpr value build(value y, value x) {
    const int axis = detail::axis_of(name, y, Axis);
    if (axis < 0) return y;
    shape_list line{.rank = y.rank()};
    for (int i = 0; i < y.rank(); ++i) line.extents[i] = i == axis ? y.get().shape[i] : 1;
    const bool is_line = x.rank() == 1 && x.get().shape[0] == line.extents[axis];
    if (x.type() != y.type() || !(is_line || shape_of(x) == shape_of(y)))
      return detail::do_not_fit(name, {{"y", y}, {"x", x}},
                                "x of y's element type and shape, or a vector as long as the axis");
    return trapezoid_statement<Axis>::of(y, is_line ? reshape(x, line) : x);
  }
};

/// The integral of y along the axis, which is dropped: at places x, of y's shape or a vector; without x, at
/// places that are 1 apart.
/// @formula sum_i (y_i + y_(i+1)) (x_(i+1) - x_i) / 2
/// @shapes floating y [.., n, ..], x the same or [n] -> without the axis
/// @errors shapes
/// @torch torch.trapezoid
/// @jax jax.scipy.integrate.trapezoid
/// @given y = [1, 3, 2]; x = [0, 1, 4]
/// @gives tl::trapezoid(y) = 4.5
/// @gives tl::trapezoid(y, x) = 9.5
template <int Axis = -1>
TAPELESS_FACTORY auto trapezoid(operand auto y) {
  return make<trapezoid_statement<Axis>>(y);
}
template <int Axis = -1>
TAPELESS_FACTORY auto trapezoid(operand auto y, operand auto x) {
  return make<trapezoid_at_statement<Axis>>(y, x);
}

}  // namespace tapeless
