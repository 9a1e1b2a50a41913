// SPDX-License-Identifier: BSL-1.0
// grid_sample(x, grid): images and volumes at coordinates that a grid has.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/pointwise/round.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>
#include <tapeless/ops/spatial/interpolation_weights.hpp>
#include <tapeless/ops/spatial/sampling_options.hpp>

namespace tapeless {

namespace detail {

/// Coordinates along one axis of an image, in elements.
struct sampled_axis {
  sampling options;
  value last;  ///< extent - 1

  /// From -1 .. 1.
  constexpr value in_elements(value c) const {
    return options.align_corners ? (c + 1.0) * 0.5 * last : ((c + 1.0) * (last + 1.0) - 1.0) * 0.5;
  }
  constexpr value clipped(value c) const { return min(max(c, 0.0), last); }
  /// The coordinates that the padding mode reads instead.
  constexpr value moved(value c) const {
    if (options.padding_mode == grid_padding::zeros) return c;
    if (options.padding_mode == grid_padding::border) return clipped(c);
    const double low = options.align_corners ? 0 : -0.5;
    const value span = options.align_corners ? max(last, 1.0) : last + 1.0;
    const value away = abs(c - low), flips = floor(away / span), rest = away - flips * span;
    const value even = flips - floor(flips * 0.5) * 2.0;
    return clipped(where(even == 0, rest + low, span - rest + low));
  }
};

/// Elements that are read along one axis, and with which weights: [N, 1, .., count, .., 1, places].
struct axis_reads {
  value place, weight;
};

/// How many elements are read along each axis.
constexpr std::int64_t read_count(interpolation mode) {
  return mode == interpolation::nearest ? 1 : mode == interpolation::bicubic ? 4 : 2;
}

/// The elements around coordinates [N, 1, .., 1, places]; which of them stands along the given axis.
constexpr axis_reads reads_along(const sampled_axis& of, value coordinate, int axis) {
  const interpolation mode = of.options.mode;
  const std::int64_t count = read_count(mode);
  shape_list along{coordinate.rank(), {}};
  for (int i = 0; i < along.rank; ++i) along.extents[i] = i == axis ? count : 1;
  const value k = make_iota(*coordinate.builder, along, axis, coordinate.type()) -
                  (mode == interpolation::bicubic ? 1.0 : 0.0);
  const value in_elements = of.in_elements(coordinate);
  const value c = mode == interpolation::bicubic ? in_elements : of.moved(in_elements);
  const value before = mode == interpolation::nearest ? round(c) : floor(c), t = c - before;
  value at = before + k, share = make_constant(*c.builder, 1, c.type());
  if (mode == interpolation::bilinear) share = (1.0 - k) + (k * 2.0 - 1.0) * t;
  if (mode == interpolation::bicubic) {
    constexpr double free = -0.75;
    const value distance = (t - k) * where(k > 0, make_constant(*c.builder, -1, c.type()), 1.0);
    share = where(abs(k - 0.5) < 1, cubic_near(distance, free), cubic_far(distance, free));
    at = of.moved(at);
  }
  const value weight = where(at >= 0 && at <= of.last, share, 0.0);
  const value known = at == at;  // at NaN, element 0 is read with weight t, NaN, too
  return {where(known, of.clipped(at), 0.0), where(known, weight, t)};
}

}  // namespace detail

template <sampling Options>
struct grid_sample_statement {
  static constexpr std::string_view name = "grid_sample";
  static constexpr int arity = 2;
  static constexpr text refusal() {
    if (Options.mode == interpolation::bilinear || Options.mode == interpolation::nearest ||
        Options.mode == interpolation::bicubic)
      return {};
    return text() << name << " interpolates in bilinear (of volumes, too), nearest or bicubic mode";
  }

  static constexpr value build(value x, value grid) {
    if (!fit(x, grid))
      return detail::do_not_fit(
          name, {{"x", x}, {"a grid", grid}},
          "two of one floating type, [batch, channels, height, width] and [batch, rows, "
          "columns, 2], or [batch, channels, depth, height, width] and [batch, planes, rows, "
          "columns, 3], the latter not in bicubic mode");
    graph& g = *x.builder;
    const int axes = x.rank() - 2;
    const std::int64_t samples = x.get().shape[0];
    std::int64_t elements = 1, places = 1;
    for (int s = 0; s < axes; ++s) {
      elements = g.extents.multiply(elements, x.get().shape[2 + s]);
      places = g.extents.multiply(places, grid.get().shape[1 + s]);
    }
    grid = detail::always_float(grid);
    const std::int64_t channels = x.get().shape[1], count = detail::read_count(Options.mode);
    shape_list one_read{3 + axes, {samples, 1}}, all = one_read;  // [N, 1, count.., places]
    for (int s = 0; s < axes; ++s) {
      one_read.extents[2 + s] = 1;
      all.extents[2 + s] = count;
    }
    one_read.extents[2 + axes] = all.extents[2 + axes] = places;
    value index, weight;
    std::int64_t step = 1, reads = 1;
    for (int s = axes - 1; s >= 0; --s) {  // the horizontal coordinate is the first
      const value c = reshape(slice(grid, axes + 1, axes - 1 - s, 1, 1), one_read);
      const value last = make_size(g, x.get().shape[2 + s]) - 1.0;
      const detail::axis_reads along = detail::reads_along({Options, last}, c, 2 + s);
      const value at = cast(along.place, element::i64) * make_size(g, step);
      index = index.exists() ? index + at : at;
      weight = weight.exists() ? weight * along.weight : along.weight;
      step = g.extents.multiply(step, x.get().shape[2 + s]);
      reads *= count;
    }
    const std::int64_t read_places = g.extents.multiply(places, reads);
    const value picked = gather(reshape(x, {3, {samples, channels, elements}}), 2,
                                expand(reshape(expand(index, all), {3, {samples, 1, read_places}}),
                                       {3, {samples, channels, read_places}}));
    const shape_list by_read{4, {samples, channels, reads, places}};
    const value weights = reshape(expand(cast(weight, x.type()), all), {4, {samples, 1, reads, places}});
    const value sum = sum_operation::build(weights * reshape(picked, by_read), 1u << 2, false);
    shape_list s{x.rank(), {samples, x.get().shape[1]}};
    for (int i = 0; i < axes; ++i) s.extents[2 + i] = grid.get().shape[1 + i];
    return reshape(sum, s);
  }

 private:
  static constexpr bool fit(value x, value grid) {
    const int axes = x.rank() - 2;
    if (axes < 2 || axes > 3 || grid.rank() != x.rank() || x.type() != grid.type() || !is_floating(x.type()))
      return false;
    if (axes == 3 && Options.mode == interpolation::bicubic) return false;
    for (int s = 0; s < axes; ++s)
      if (x.get().shape[2 + s] == 0) return false;
    return grid.get().shape[0] == x.get().shape[0] && grid.get().shape[axes + 1] == axes;
  }
};

/// x at the grid's coordinates: x [N, C, H, W], grid [N, rows, columns, 2] -> [N, C, rows, columns], or
/// [N, C, D, H, W], [N, planes, rows, columns, 3] -> [N, C, planes, rows, columns]. Coordinates go from -1 to
/// 1, the horizontal one first; with align_corners these are the centers of the first and last element,
/// otherwise their outer ends. Between elements, the mode interpolates: bilinear (trilinear in volumes),
/// nearest, or bicubic with a = -0.75. A coordinate that is NaN gives NaN. Both x and the grid get gradients.
/// @formula y[n, c, i, j] = x[n, c] interpolated at grid[n, i, j]
/// @shapes floating [N, C, H, W] [N, rows, columns, 2] -> [N, C, rows, columns]
/// @errors sampled
/// @torch torch.nn.functional.grid_sample
/// @jax jax.scipy.ndimage.map_coordinates
/// @given x = [[[[1, 2], [3, 4]]]]; grid = [[[[-0.5, -0.5], [0, 0], [1, 0.5]]]]
/// @gives tl::grid_sample(x, grid) = [[[[1, 2.5, 2]]]]
/// @gives tl::grid_sample<tl::sampling{.padding_mode = tl::grid_padding::border}>(x, grid) = [[[[1, 2.5,
/// 4]]]]
template <sampling Options = sampling{}>
TAPELESS_FACTORY auto grid_sample(operand auto x, operand auto grid) {
  return make<grid_sample_statement<Options>>(x, grid);
}

}  // namespace tapeless
