// SPDX-License-Identifier: BSL-1.0
// affine_grid<h, w>(theta): where the elements of an image come from that is moved, turned or scaled.
#pragma once

#include <tapeless/ops/base/given_extents.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>
#include <tapeless/ops/spatial/sampling_options.hpp>

namespace tapeless {

template <sampling Options, extent... E>
struct affine_grid_statement {
  static constexpr int axes = sizeof...(E);
  static constexpr std::string_view name = "affine_grid";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (axes != 2 && axes != 3)
      return text() << name << " is for images and volumes, affine_grid<h, w>(theta), but got " << axes
                    << " extents";
    return detail::refused_extents<E...>(name);
  }

  static constexpr value build(value theta) {
    graph& g = *theta.builder;
    const node& n = theta.get();
    if (n.rank != 3 || n.shape[1] != axes || n.shape[2] != axes + 1 || !is_floating(n.type)) {
      text t;
      t << name << " got " << name_of(n.type);
      g.describe_shape(t, n);
      return theta.fail(t << ": for " << axes << " extents it takes floating numbers, [batch, " << axes
                          << ", " << axes + 1 << "]");
    }
    const element type = n.type;
    const std::int64_t extents[] = {g.extents.number(E)...};
    shape_list of_column{axes + 2, {n.shape[0]}};  // [N, 1.., axes]
    for (int i = 1; i <= axes; ++i) of_column.extents[i] = 1;
    of_column.extents[axes + 1] = axes;
    theta = detail::always_float(theta);
    value grid = reshape(slice(theta, 2, axes, 1, 1), of_column);
    for (int s = 0; s < axes; ++s) {  // the horizontal coordinate is the first
      const value column = reshape(slice(theta, 2, axes - 1 - s, 1, 1), of_column);
      shape_list along{axes + 1, {}};
      for (int i = 0; i < along.rank; ++i) along.extents[i] = i == s ? extents[s] : 1;
      const value i = make_iota(g, along, s, theta.type()), size = make_size(g, extents[s]);
      const value at = Options.align_corners ? where_corners_meet(i, size) : (i * 2.0 + 1.0) / size - 1.0;
      grid = grid + column * at;
    }
    return cast(grid, type);
  }

 private:
  // -1 to 1; 0 where there is one element.
  static constexpr value where_corners_meet(value i, value size) {
    return (i * 2.0 - (size - 1.0)) / max(size - 1.0, 1.0);
  }
};

/// The grid for grid_sample that maps each place of an image of E... to theta's affine function of its
/// coordinates: theta [N, 2, 3] -> [N, H, W, 2], or [N, 3, 4] -> [N, D, H, W, 3]. Coordinates go from -1 to
/// 1, the horizontal one first. Of sampling it reads align_corners.
/// @formula y[n, i, j] = theta[n] (x_j, y_i, 1)
/// @shapes floating [N, 2, 3] -> [N, H, W, 2]
/// @errors sampled
/// @torch torch.nn.functional.affine_grid
/// @jax none
/// @given theta = [[[1, 0, 0], [0, 1, 0.5]]]
/// @gives tl::affine_grid<1, 2>(theta) = [[[[-0.5, 0.5], [0.5, 0.5]]]]
template <extent... E>
TAPELESS_FACTORY auto affine_grid(operand auto theta) {
  return make<affine_grid_statement<sampling{}, E...>>(theta);
}
template <sampling Options, extent... E>
TAPELESS_FACTORY auto affine_grid(operand auto theta) {
  return make<affine_grid_statement<Options, E...>>(theta);
}

}  // namespace tapeless
