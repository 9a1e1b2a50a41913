// SPDX-License-Identifier: BSL-1.0
// quantile<q, axes...>(x): the element that a share of the others is below.
#pragma once

#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/sort.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/ceil.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/floor.hpp>
#include <tapeless/ops/pointwise/lerp.hpp>
#include <tapeless/ops/pointwise/less.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

namespace detail {

/// x's axes of the set, joined to the last one.
constexpr value joined_at_end(value x, unsigned axes) {
  int order[max_rank] = {}, place = 0;
  shape_list shape;
  for (int last = 0; last < 2; ++last)
    for (int i = 0; i < x.rank(); ++i)
      if ((axes >> i & 1u) == static_cast<unsigned>(last)) {
        order[place++] = i;
        if (last == 0) shape.extents[shape.rank++] = x.get().shape[i];
      }
  shape.extents[shape.rank++] = count_over(x, axes);
  return reshape(permute(x, order), shape);
}

/// Lines whose elements are found by their place in the order.
struct ordered_lines {
  value x, places;
  int axis = x.rank() - 1;

  explicit constexpr ordered_lines(value lines) : x(lines), places(argsort_of_last(lines, {})) {}
  /// The number of elements less one, as a double.
  constexpr value last() const {
    return cast(make_size(*x.builder, x.get().shape[axis]), element::f64) - 1.0;
  }
  /// The element at a place, a scalar, of each line; without the axis.
  constexpr value at(value place) const {
    shape_list one = shape_of(x);
    one.extents[axis] = 1;
    const value found = gather(x, axis, gather(places, axis, expand(cast(place, element::i64), one)));
    --one.rank;
    return reshape(found, one);
  }
};

/// What `choose` makes of the ordered lines over the axes, or NaN where there is one among a line's elements.
template <class Choose>
constexpr value chosen_of_lines(std::string_view name, value x, unsigned axes, bool keep, Choose choose) {
  const value lines = joined_at_end(x, axes);
  if (lines.get().shape[lines.rank() - 1] == 0)
    return x.fail(shape_sentence(name, x) << ": there is no element");
  value y = choose(ordered_lines(lines));
  if (is_floating(x.type())) {
    const value top = stop_gradient(max_reduction_operation::build(lines, 1u << (lines.rank() - 1), false));
    y = where(top == top, y, top);
  }
  return keep ? reshape(y, reduction_operation<sum_operation>::keep_dims_shape(x, axes)) : y;
}

}  // namespace detail

template <double Q>
struct quantile_operation {
  static constexpr std::string_view name = "quantile";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr text refusal() {
    return detail::unless_fits(Q >= 0 && Q <= 1, name, "a share from 0 to 1", Q);
  }
  static constexpr value build(value x, unsigned axes, bool keep) {
    return detail::chosen_of_lines(name, x, axes, keep, [](const detail::ordered_lines& lines) {
      const value place = lines.last() * Q, below = floor(place);
      return lerp(lines.at(below), lines.at(ceil(place)), cast(place - below, lines.x.type()));
    });
  }
};

/// The element of x, or what lies between two on a straight line, that a share Q of the others is below, over
/// Axes (all where none is named), which are dropped, or kept with extent 1. NaN where there is one. Over a
/// run-time extent of 0 it is an error when the program runs. Costs as much as sort.
/// @formula y = x_k + (p - k) (x_(k+1) - x_k), where x_0 <= x_1 <= ..., p = Q (n - 1) and k = floor(p)
/// @shapes floating [..] -> without the axes
/// @errors order_statistics
/// @torch torch.quantile
/// @jax jnp.quantile
/// @given x = [[3, 1, 2], [8, 5, 4]]
/// @gives tl::quantile<0.25, 1>(x) = [1.5, 4.5]
/// @gives tl::quantile<0.5>(x) = 3.5
template <auto Q, axis_number auto... Axes, operand X>
TAPELESS_FACTORY auto quantile(X x) {
  return make<reduction_statement<quantile_operation<double(Q)>, false, Axes...>>(x);
}
template <auto Q, axis_number auto... Axes, operand X>
TAPELESS_FACTORY auto quantile(X x, keep_dims_t) {
  return make<reduction_statement<quantile_operation<double(Q)>, true, Axes...>>(x);
}

}  // namespace tapeless
