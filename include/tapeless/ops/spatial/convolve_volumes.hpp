// SPDX-License-Identifier: BSL-1.0
// Convolution over three spatial axes as one of images: the windows along the depth become channels.
#pragma once

#include <tapeless/ops/spatial/convolve.hpp>

namespace tapeless {

namespace detail {

/// The windows along height and width.
constexpr spatial_windows windows_in_planes(const spatial_windows& w) {
  return {2, {w.along[1], w.along[2]}, {w.padding[1], w.padding[2]}};
}

/// [O, C, kernel depth, kernel height, kernel width] -> [O, C * kernel depth, kernel height, kernel width]
constexpr value join_depth(value weight) {
  const node& n = weight.get();
  extent_table& e = weight.builder->extents;
  return reshape(weight, {4, {n.shape[0], e.multiply(n.shape[1], n.shape[2]), n.shape[3], n.shape[4]}});
}

/// [a, b, c, ...] -> [a * b, c, ...] and back.
constexpr value join_first(value x) {
  shape_list s{x.rank() - 1, {}};
  for (int i = 0; i < s.rank; ++i) s.extents[i] = x.get().shape[i + 1];
  s.extents[0] = x.builder->extents.multiply(x.get().shape[0], s.extents[0]);
  return reshape(x, s);
}
constexpr value part_first(value x, std::int64_t first, std::int64_t second) {
  shape_list s{x.rank() + 1, {first, second}};
  for (int i = 2; i < s.rank; ++i) s.extents[i] = x.get().shape[i - 1];
  return reshape(x, s);
}

}  // namespace detail

/// x [N, C, D, H, W], weight [O, C / groups, kernel...] -> [N, O, positions...]
constexpr value convolve_volumes(value x, value weight, const spatial_windows& w, int groups) {
  extent_table& e = x.builder->extents;
  const std::int64_t samples = x.get().shape[0];
  x = pad(x, 2, w.padding[0], 1, e.add(x.get().shape[2], 2 * w.padding[0]));
  x = detail::windows_along(x, 2, w.along[0]);  // [N, C, positions, H, W, kernel depth]
  const int channels_behind[] = {0, 2, 1, 5, 3, 4};
  x = permute(x, channels_behind);
  const std::int64_t positions = x.get().shape[1];
  shape_list planes{4, {e.multiply(samples, positions), e.multiply(x.get().shape[2], x.get().shape[3])}};
  for (int i = 2; i < 4; ++i) planes.extents[i] = x.get().shape[i + 2];
  const value y =
      convolve(reshape(x, planes), detail::join_depth(weight), detail::windows_in_planes(w), groups);
  return detail::move_axis(detail::part_first(y, samples, positions), 1, 2);
}

/// The transpose in x: y [N, O, positions...], weight -> [N, C, D, H, W], whose spatial extents are given.
constexpr value convolve_volumes_data(value y, value weight, const spatial_windows& w, int groups,
                                      const std::int64_t* extents) {
  extent_table& e = y.builder->extents;
  const std::int64_t samples = y.get().shape[0], positions = y.get().shape[2];
  const value planes = detail::join_first(detail::move_axis(y, 2, 1));  // [N * positions, O, H, W]
  value x =
      convolve_data(planes, detail::join_depth(weight), detail::windows_in_planes(w), groups, extents + 1);
  const std::int64_t channels = e.multiply(weight.get().shape[1], groups);
  x = reshape(x, {6, {samples, positions, channels, w.along[0].size, extents[1], extents[2]}});
  const int windows_last[] = {0, 2, 1, 4, 5, 3};
  x = detail::overlap_along(permute(x, windows_last), 2, w.along[0], e.add(extents[0], 2 * w.padding[0]));
  return slice(x, 2, w.padding[0], 1, extents[0]);
}

}  // namespace tapeless
