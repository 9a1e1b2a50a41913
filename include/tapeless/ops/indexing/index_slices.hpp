// SPDX-License-Identifier: BSL-1.0
// Slices of a source, and the places along an axis of x that an index brings them to.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/indexing/scatter_add.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless::detail {

/// Whether the slices of `source` can go to places of x along the axis.
constexpr bool fits_slices(value x, value index, value source, int axis) {
  if (!is_index(index) || index.rank() != 1 || source.rank() != x.rank() || source.type() != x.type())
    return false;
  for (int i = 0; i < x.rank(); ++i)
    if (source.get().shape[i] != (i == axis ? index.get().shape[0] : x.get().shape[i])) return false;
  return true;
}

constexpr value slices_misfit(std::string_view op, value x, value index, value source) {
  return do_not_fit(op, {{"x", x}, {"an index", index}, {"a source", source}},
                    "a vector of integers, and as many slices of x's shape and element type");
}

/// A vector of places along an axis, in the shape of what is brought there.
constexpr value index_of_slices(value index, int axis, const shape_list& shape) {
  shape_list line{.rank = shape.rank};
  for (int i = 0; i < shape.rank; ++i) line.extents[i] = i == axis ? index.get().shape[0] : 1;
  return expand(reshape(index, line), shape);
}

/// The slices at their places of x; of several for one place their sum, and 0 elsewhere.
constexpr value brought_slices(value x, value index, value source, int axis) {
  return scatter_add(index_of_slices(index, axis, shape_of(source)), source, axis, shape_of(x));
}

/// make(x, index, brought, axis), where `brought` are the slices at their places along the axis that was
/// asked for.
template <class Make>
constexpr value with_slices(std::string_view op, int asked, value x, value index, value source, Make make) {
  if (is_axis_of_scalar(x, asked))
    return reshape(with_slices(op, asked, as_vector(x), as_vector(index), as_vector(source), make),
                   shape_of(x));
  const int axis = axis_of(op, x, asked);
  if (axis < 0) return x;
  if (!fits_slices(x, index, source, axis)) return slices_misfit(op, x, index, source);
  return make(x, index, brought_slices(x, index, source, axis), axis);
}

}  // namespace tapeless::detail
