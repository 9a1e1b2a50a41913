// SPDX-License-Identifier: BSL-1.0
// Heads of attention as axes: features become heads, which come before the length and go back behind it.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/value.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless::detail {

/// [.., n] -> [.., n / features, features].
constexpr value split_heads(value x, std::int64_t features) {
  shape_list s = shape_of(x);
  s.extents[s.rank - 1] = s.extents[s.rank - 1] / features;
  s.extents[s.rank++] = features;
  return reshape(x, s);
}

/// [.., length, heads, n] -> [.., heads, length, n]; with groups of heads [.., length, heads, group, n] ->
/// [.., heads, group, length, n].
constexpr value heads_first(value x, int head_axes) {
  const int length = x.rank() - 2 - head_axes;
  int axes[max_rank] = {};
  for (int i = 0; i < x.rank(); ++i) axes[i] = i < length || i == x.rank() - 1 ? i : i + 1;
  axes[x.rank() - 2] = length;
  return permute(x, axes);
}
/// The inverse of heads_first.
constexpr value length_first(value x, int head_axes) {
  const int length = x.rank() - 2 - head_axes;
  int axes[max_rank] = {};
  for (int i = 0; i < x.rank(); ++i) axes[i] = i <= length || i == x.rank() - 1 ? i : i - 1;
  axes[length] = x.rank() - 2;
  return permute(x, axes);
}
/// [.., length, heads, n] -> [.., shared, heads / shared, length, n]: heads that share keys and values are
/// neighbours.
constexpr value grouped_heads_first(value x, std::int64_t shared) {
  shape_list s = shape_of(x);
  const std::int64_t features = s.extents[s.rank - 1], group = s.extents[s.rank - 2] / shared;
  s.extents[s.rank - 2] = shared;
  s.extents[s.rank - 1] = group;
  s.extents[s.rank++] = features;
  return heads_first(reshape(x, s), 2);
}

}  // namespace tapeless::detail
