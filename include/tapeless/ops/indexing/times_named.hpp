// SPDX-License-Identifier: BSL-1.0
// How many elements an index brings to each place.
#pragma once

#include <tapeless/ops/indexing/scatter_add.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless::detail {

/// How many elements go to each place of `shape`.
constexpr value times_named(value index, int axis, element type, const shape_list& shape) {
  const value ones = expand(make_constant(*index.builder, 1, type), shape_of(index));
  return scatter_add(index, ones, axis, shape);
}

/// How often each place of an axis is named, in the shape [extent], or [1, .., extent, .., 1] for `rank`
/// axes.
constexpr value times_named(value index, int axis, int rank, std::int64_t extent) {
  shape_list line{.rank = rank};
  for (int i = 0; i < rank; ++i) line.extents[i] = i == axis ? extent : 1;
  return reshape(times_named(index, 0, element::i32, {1, {extent}}), line);
}

}  // namespace tapeless::detail
