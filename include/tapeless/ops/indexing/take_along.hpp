// SPDX-License-Identifier: BSL-1.0
// take_along<axis>(x, index): the elements that an index picks along an axis, where other axes broadcast.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <int Axis>
struct take_along_statement {
  static constexpr std::string_view name = "take_along";
  static constexpr int arity = 2;
  static constexpr value build(value x, value index) {
    if (is_axis_of_scalar(x, Axis))
      return reshape(build(detail::as_vector(x), detail::as_vector(index)), shape_of(index));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    shape_list of_x = shape_of(x), of_index = shape_of(index);
    if (detail::is_index(index) && x.rank() == index.rank()) {
      bool fits = true;
      for (int i = 0; i < x.rank(); ++i) {
        if (i == axis) continue;
        const std::int64_t a = of_x.extents[i], b = of_index.extents[i];
        fits = fits && (a == b || a == 1 || b == 1);
        of_x.extents[i] = of_index.extents[i] = a == 1 ? b : a;
      }
      if (fits) return gather(expand(x, of_x), axis, expand(index, of_index));
    }
    return detail::index_does_not_fit(
        text() << "take_along<" << Axis
               << "> takes integers of x's rank, whose other axes broadcast with x's; it",
        x, index);
  }
};

/// Of the index's extent along the axis; element (.., i, ..) is element (.., index(.., i, ..), ..) of x. The
/// other axes broadcast. Indices as in gather, whose other axes do not broadcast.
/// @formula y[i][j] = x[index[i][j]][j], for axis 0
/// @shapes [..], integers of as many axes -> the index's extent along the axis, elsewhere the common shape
/// @errors indices
/// @torch torch.take_along_dim
/// @jax jnp.take_along_axis
/// @given x = [[1, 2], [3, 4]]; index = int64 [[1, 0, 1]]
/// @gives tl::take_along<1>(x, index) = [[2, 1, 2], [4, 3, 4]]
template <int Axis>
TAPELESS_FACTORY auto take_along(operand auto x, operand auto index) {
  return make<take_along_statement<Axis>>(x, index);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous take_along(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
