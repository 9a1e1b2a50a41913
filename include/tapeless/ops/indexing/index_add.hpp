// SPDX-License-Identifier: BSL-1.0
// index_add<axis>(x, index, source), index_copy, index_fill: slices of x, by their numbers.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

namespace detail {

/// Whether the slices of `source` can go to places of x along the axis.
constexpr bool fits_slices(value x, value index, value source, int axis) {
  if (!is_index(index) || index.rank() != 1 || source.rank() != x.rank() || source.type() != x.type())
    return false;
  for (int i = 0; i < x.rank(); ++i)
    if (source.get().shape[i] != (i == axis ? index.get().shape[0] : x.get().shape[i])) return false;
  return true;
}

/// A vector of places along an axis, in the shape of what is brought there.
constexpr value index_of_slices(value index, int axis, const shape_list& shape) {
  shape_list line{.rank = shape.rank};
  for (int i = 0; i < shape.rank; ++i) line.extents[i] = i == axis ? index.get().shape[0] : 1;
  return expand(reshape(index, line), shape);
}

/// How often each place of an axis is named, in the shape [extent], or [1, .., extent, .., 1] for `rank`
/// axes.
constexpr value times_named(value index, int axis, int rank, std::int64_t extent) {
  graph& g = *index.builder;
  shape_list line{.rank = rank};
  for (int i = 0; i < rank; ++i) line.extents[i] = i == axis ? extent : 1;
  const value ones = expand(make_constant(g, 1, element::i32), {1, {index.get().shape[0]}});
  return reshape(scatter_add(index, ones, 0, {1, {extent}}), line);
}

enum class slices : std::uint8_t { added, copied };

}  // namespace detail

template <int Axis, detail::slices How>
struct index_slices_statement {
  static constexpr std::string_view name = How == detail::slices::added ? "index_add" : "index_copy";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    if (is_axis_of_scalar(x, Axis))
      return reshape(build(detail::as_vector(x), detail::as_vector(index), detail::as_vector(source)),
                     shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    if (!detail::fits_slices(x, index, source, axis))
      return detail::do_not_fit(name, {{"x", x}, {"an index", index}, {"a source", source}},
                                "a vector of integers, and as many slices of x's shape and element type");
    const value places = detail::index_of_slices(index, axis, shape_of(source));
    const value brought = scatter_add(places, source, axis, shape_of(x));
    if (How == detail::slices::added) return x + brought;
    return where(detail::times_named(index, axis, x.rank(), x.get().shape[axis]) > 0, brought, x);
  }
};

template <int Axis>
struct index_fill_statement {
  static constexpr std::string_view name = "index_fill";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value filling) {
    if (is_axis_of_scalar(x, Axis))
      return reshape(build(detail::as_vector(x), detail::as_vector(index), filling), shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    if (!detail::is_index(index) || index.rank() != 1 || filling.rank() != 0)
      return detail::do_not_fit(name, {{"x", x}, {"an index", index}, {"a filling", filling}},
                                "a vector of integers and a number");
    return where(detail::times_named(index, axis, x.rank(), x.get().shape[axis]) > 0, filling, x);
  }
};

/// x, with slice number i of the source added to its slice number index[i] along the axis. Indices as in
/// gather.
/// @formula y = x; y[index[i]] += source[i], for axis 0
/// @shapes [.., n, ..], integers [k], [.., k, ..] -> [.., n, ..]
/// @errors indices indexing_as_in_pytorch
/// @torch torch.index_add
/// @jax x.at[index].add(source)
/// @given x = [[1, 1], [2, 2]]; index = int64 [1, 1, 0]; source = [[1, 2], [3, 4], [5, 6]]
/// @gives tl::index_add<0>(x, index, source) = [[6, 7], [6, 8]]
template <int Axis>
TAPELESS_FACTORY auto index_add(operand auto x, operand auto index, operand auto source) {
  return make<index_slices_statement<Axis, detail::slices::added>>(x, index, source);
}

/// x, with slice number i of the source in place of its slice number index[i] along the axis; of several for
/// one place their sum. Indices as in gather.
/// @formula y = x; y[index[i]] = source[i], for axis 0
/// @shapes [.., n, ..], integers [k], [.., k, ..] -> [.., n, ..]
/// @errors indices indexing_as_in_pytorch
/// @torch torch.index_copy
/// @jax x.at[index].set(source)
/// @given x = [[1, 1], [2, 2]]; index = int64 [1]; source = [[7, 8]]
/// @gives tl::index_copy<0>(x, index, source) = [[1, 1], [7, 8]]
template <int Axis>
TAPELESS_FACTORY auto index_copy(operand auto x, operand auto index, operand auto source) {
  return make<index_slices_statement<Axis, detail::slices::copied>>(x, index, source);
}

/// x, with one number in its slices number index[i] along the axis. Indices as in gather.
/// @formula y = x; y[index[i]] = filling, for axis 0
/// @shapes [.., n, ..], integers [k], [] -> [.., n, ..]
/// @errors indices indexing_as_in_pytorch
/// @torch torch.index_fill
/// @jax x.at[index].set(filling)
/// @given x = [[1, 1], [2, 2]]; index = int64 [1]
/// @gives tl::index_fill<0>(x, index, 9_c) = [[1, 1], [9, 9]]
template <int Axis>
TAPELESS_FACTORY auto index_fill(operand auto x, operand auto index, operand auto filling) {
  return make<index_fill_statement<Axis>>(x, index, filling);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto index_add(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"index_add"}, detail::axis_is_template_argument,
                             sentence{"<0>(x, index, source)"}>(x, more...);
}
template <detail::called_with X, class... More>
constexpr auto index_copy(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"index_copy"}, detail::axis_is_template_argument,
                             sentence{"<0>(x, index, source)"}>(x, more...);
}
template <detail::called_with X, class... More>
constexpr auto index_fill(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"index_fill"}, detail::axis_is_template_argument,
                             sentence{"<0>(x, index, 1_c)"}>(x, more...);
}

}  // namespace tapeless
