// SPDX-License-Identifier: BSL-1.0
// adaptive_avg_pool2d<h, w>(x), adaptive_max_pool2d<h, w>(x), and along one and three axes: pooling to a
// given size.
#pragma once

#include <limits>

#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/spatial/avg_pool.hpp>
#include <tapeless/ops/spatial/max_pool.hpp>

namespace tapeless {

namespace detail {

/// The windows that tile x evenly to `counts`; of no axes where x's extents are not multiples of these.
constexpr spatial_windows tiles(value x, const std::int64_t* counts) {
  spatial_windows w{.axes = x.rank() - 2};
  for (int s = 0; s < w.axes; ++s) {
    const std::int64_t extent = x.get().shape[2 + s],
                       size = extent_table::is_literal(extent) ? extent / counts[s] : 0;
    if (size == 0 || size * counts[s] != extent) return {};
    w.along[s] = {.size = size, .stride = size};
  }
  return w;
}

/// Windows of different sizes: window i of n along an extent is floor(i*extent/n) up to, not including,
/// ceil((i+1)*extent/n). True in [n, extent] where window i has element j; compared without division.
constexpr value has_element(value x, std::int64_t n, std::int64_t extent) {
  const shape_list s{2, {n, extent}};
  const value i = make_iota(*x.builder, s, 0, element::i64), j = make_iota(*x.builder, s, 1, element::i64);
  const value length = make_size(*x.builder, extent);
  const double count = static_cast<double>(n);
  return i * length < (j + 1.0) * count && j * count < (i + 1.0) * length;
}

/// [n, extent]: the matrix that takes the windows' means.
constexpr value averaging(value x, std::int64_t n, std::int64_t extent) {
  const value members = cast(has_element(x, n, extent), x.type());
  return members / sum_operation::build(members, 1u << 1, true);
}

/// [n, extent] times each of x's lines along the axis: [.., extent, ..] -> [.., n, ..].
constexpr value matrix_along(value matrix, value x, int axis) {
  const int last = x.rank() - 1;
  if (axis == last - 1) return matmul(matrix, x);
  return move_axis(matmul(move_axis(x, axis, last), transpose_last(matrix)), last, axis);
}

/// How many elements the longest window has.
constexpr std::int64_t longest_window(std::int64_t n, std::int64_t extent) {
  std::int64_t longest = 1;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t begin = i * extent / n, end = ((i + 1) * extent + n - 1) / n;
    longest = end - begin > longest ? end - begin : longest;
  }
  return longest;
}

/// [.., extent, ..] -> [.., n, longest, ..]: windows of different sizes, filled up with -infinity.
constexpr value uneven_windows(value x, int axis, std::int64_t n) {
  graph& g = *x.builder;
  const std::int64_t extent = x.get().shape[axis], longest = longest_window(n, extent);
  const shape_list grid{2, {n, longest}};
  // A window begins behind all elements j with (j + 1)*n <= i*extent.
  const shape_list pairs{2, {n, extent}};
  const value i = make_iota(g, pairs, 0, element::i64), j = make_iota(g, pairs, 1, element::i64);
  const double count = static_cast<double>(n), length = static_cast<double>(extent);
  const value begin =
      sum_operation::build(cast((j + 1.0) * count <= i * length, element::i64), 1u << 1, true);
  const value element_number = begin + make_iota(g, grid, 1, element::i64);
  const value window_number = make_iota(g, grid, 0, element::i64);
  const value there = element_number * count < (window_number + 1.0) * length;

  shape_list s = shape_of(x), ones = s;
  for (int d = 0; d < s.rank; ++d) ones.extents[d] = 1;
  s.extents[axis] = ones.extents[axis] = n * longest;
  const value index = reshape(where(there, element_number, 0.0), ones);
  const value picked = gather(x, axis, expand(index, s));
  const value y = where(reshape(there, ones), picked, -std::numeric_limits<double>::infinity());
  for (int d = s.rank++; d > axis + 1; --d) s.extents[d] = s.extents[d - 1];
  s.extents[axis] = n;
  s.extents[axis + 1] = longest;
  return reshape(y, s);
}

}  // namespace detail

struct adaptive_avg_pool_operation {
  static constexpr std::string_view names[] = {"adaptive_avg_pool1d", "adaptive_avg_pool2d",
                                               "adaptive_avg_pool3d"};
  static constexpr value build(std::string_view, value x, const std::int64_t* counts) {
    if (const spatial_windows w = detail::tiles(x, counts); w.axes != 0)
      return detail::has_kernel(x, w) ? mean_of_windows(x, {w}) : detail::mean_over_windows(x, {w});
    for (int axis = x.rank() - 1; axis >= 2; --axis)
      x = detail::matrix_along(detail::averaging(x, counts[axis - 2], x.get().shape[axis]), x, axis);
    return x;
  }
};

struct adaptive_max_pool_operation {
  static constexpr std::string_view names[] = {"adaptive_max_pool1d", "adaptive_max_pool2d",
                                               "adaptive_max_pool3d"};
  static constexpr value build(std::string_view name, value x, const std::int64_t* counts) {
    const int axes = x.rank() - 2;
    for (int s = 0; s < axes; ++s)
      if (!extent_table::is_literal(x.get().shape[2 + s]) || x.get().shape[2 + s] == 0)
        return x.fail(detail::shape_sentence(name, x)
                      << ": its "
                      << (axes == 1   ? "length"
                          : axes == 2 ? "height and width"
                                      : "spatial extents")
                      << " must be integers, 1 or more, from which the windows follow");
    if (const spatial_windows w = detail::tiles(x, counts); w.axes != 0)
      return detail::has_kernel(x, w) ? largest_in_windows(x, w) : detail::max_over_windows(x, w);
    unsigned elements = 0;
    for (int s = axes - 1; s >= 0; --s) {
      x = detail::uneven_windows(x, 2 + s, counts[s]);
      elements |= 1u << (3 + 2 * s);
    }
    return max_reduction_operation::build(x, elements, false);
  }
};

/// The statement of an adaptive pool with as many windows along the spatial axes as Counts say.
template <class Operation, std::int64_t... Counts>
struct adaptive_pool_statement {
  static constexpr int axes = sizeof...(Counts);
  static constexpr std::string_view name = Operation::names[axes - 1];
  static constexpr int arity = 1;
  static constexpr text refusal() {
    for (const std::int64_t count : {std::int64_t{Counts}...})
      if (count < 1) return text() << name << " has one window or more along each axis, but got " << count;
    return {};
  }
  static constexpr value build(value x) {
    return detail::with_batch(x, 2 + axes, [](value images) {
      const std::int64_t counts[] = {Counts...};
      return detail::require_image(name, images, axes) ? Operation::build(name, images, counts) : images;
    });
  }
};

/// The mean of each of Height by Width windows, which cover x: x [N, C, H, W] -> [N, C, Height, Width].
/// Window i of n along an extent is floor(i*extent/n) up to, not including, ceil((i+1)*extent/n). Height
/// alone is that of both: adaptive_avg_pool2d<1>(x). Where windows are not alike, means are products with a
/// matrix, and an infinity makes the other windows of its line NaN.
/// @formula y = the mean of each of Height x Width windows that cover x
/// @shapes floating [N, C, H, W] -> [N, C, Height, Width]
/// @errors pool_rank
/// @torch torch.nn.functional.adaptive_avg_pool2d
/// @jax none: flax.linen.avg_pool with a window of its own
/// @given x = [[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]]
/// @gives tl::adaptive_avg_pool2d<2, 2>(x) = [[[[3, 4], [6, 7]]]]
template <std::int64_t Height, std::int64_t Width = Height>
constexpr value adaptive_avg_pool2d(is_value auto x) {
  return make<adaptive_pool_statement<adaptive_avg_pool_operation, Height, Width>>(x);
}
template <std::int64_t Height, std::int64_t Width = Height>
TAPELESS_FACTORY auto adaptive_avg_pool2d(expression_operand auto x) {
  return make<adaptive_pool_statement<adaptive_avg_pool_operation, Height, Width>>(x);
}

/// adaptive_avg_pool2d along one axis, [N, C, L] -> [N, C, Length].
/// @formula y = the mean of each of Length windows that cover x
/// @shapes floating [N, C, L] -> [N, C, Length]
/// @errors pool_rank
/// @torch torch.nn.functional.adaptive_avg_pool1d
/// @jax none
/// @given x = [[[1, 2, 6, 8]]]
/// @gives tl::adaptive_avg_pool1d<3>(x) = [[[1.5, 4, 7]]]
template <std::int64_t Length>
TAPELESS_FACTORY auto adaptive_avg_pool1d(operand auto x) {
  return make<adaptive_pool_statement<adaptive_avg_pool_operation, Length>>(x);
}

/// adaptive_avg_pool2d along three axes, [N, C, D, H, W] -> [N, C, Depth, Height, Width].
/// @formula y = the mean of each of Depth x Height x Width windows that cover x
/// @shapes floating [N, C, D, H, W] -> [N, C, Depth, Height, Width]
/// @errors pool_rank
/// @torch torch.nn.functional.adaptive_avg_pool3d
/// @jax none
/// @given x = [[[[[1, 2, 3]], [[5, 6, 7]]]]]
/// @gives tl::adaptive_avg_pool3d<1, 1, 2>(x) = [[[[[3.5, 4.5]]]]]
template <std::int64_t Depth, std::int64_t Height = Depth, std::int64_t Width = Height>
TAPELESS_FACTORY auto adaptive_avg_pool3d(operand auto x) {
  return make<adaptive_pool_statement<adaptive_avg_pool_operation, Depth, Height, Width>>(x);
}

/// The largest element of each of adaptive_avg_pool2d's windows; H and W are integers. Equal largest elements
/// of a window share its gradient evenly; elements of -infinity alone share it with what makes windows of
/// different sizes equally long.
/// @formula y = the largest element of each of Height x Width windows that cover x
/// @shapes floating [N, C, H, W] -> [N, C, Height, Width]
/// @errors pool_rank
/// @torch torch.nn.functional.adaptive_max_pool2d
/// @jax none: flax.linen.max_pool with a window of its own
/// @given x = [[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]]
/// @gives tl::adaptive_max_pool2d<2, 2>(x) = [[[[5, 6], [8, 9]]]]
template <std::int64_t Height, std::int64_t Width = Height>
constexpr value adaptive_max_pool2d(is_value auto x) {
  return make<adaptive_pool_statement<adaptive_max_pool_operation, Height, Width>>(x);
}
template <std::int64_t Height, std::int64_t Width = Height>
TAPELESS_FACTORY auto adaptive_max_pool2d(expression_operand auto x) {
  return make<adaptive_pool_statement<adaptive_max_pool_operation, Height, Width>>(x);
}

/// adaptive_max_pool2d along one axis, [N, C, L] -> [N, C, Length].
/// @formula y = the largest element of each of Length windows that cover x
/// @shapes floating [N, C, L] -> [N, C, Length]
/// @errors pool_rank
/// @torch torch.nn.functional.adaptive_max_pool1d
/// @jax none
/// @given x = [[[1, 2, 6, 8]]]
/// @gives tl::adaptive_max_pool1d<3>(x) = [[[2, 6, 8]]]
template <std::int64_t Length>
TAPELESS_FACTORY auto adaptive_max_pool1d(operand auto x) {
  return make<adaptive_pool_statement<adaptive_max_pool_operation, Length>>(x);
}

/// adaptive_max_pool2d along three axes, [N, C, D, H, W] -> [N, C, Depth, Height, Width].
/// @formula y = the largest element of each of Depth x Height x Width windows that cover x
/// @shapes floating [N, C, D, H, W] -> [N, C, Depth, Height, Width]
/// @errors pool_rank
/// @torch torch.nn.functional.adaptive_max_pool3d
/// @jax none
/// @given x = [[[[[1, 2, 3]], [[5, 6, 7]]]]]
/// @gives tl::adaptive_max_pool3d<1, 1, 2>(x) = [[[[[6, 7]]]]]
template <std::int64_t Depth, std::int64_t Height = Depth, std::int64_t Width = Height>
TAPELESS_FACTORY auto adaptive_max_pool3d(operand auto x) {
  return make<adaptive_pool_statement<adaptive_max_pool_operation, Depth, Height, Width>>(x);
}

}  // namespace tapeless
