// SPDX-License-Identifier: BSL-1.0
// Convolution over one or two spatial axes, and its transposes in x and in the weight. Each one's derivatives
// are the other two: all three come of one form that is linear in x, the weight and the result.
#pragma once

#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/shape/slice.hpp>
#include <tapeless/ops/spatial/spatial_windows.hpp>
#include <tapeless/ops/spatial/windows.hpp>

namespace tapeless {

/// x [N, C, L...], weight [O, C / groups, kernel...] -> [N, O, positions...]
constexpr value convolve(value x, value weight, const spatial_windows& w, int groups);
/// The transpose in x: y [N, O, positions...], weight -> [N, C, L...], whose spatial extents are given.
constexpr value convolve_data(value y, value weight, const spatial_windows& w, int groups,
                              const std::int64_t* extents);

namespace detail {

/// A node of one of the three operations.
constexpr value convolution_node(const operation& op, value a, value b, const shape_list& shape,
                                 const convolution_windows& c) {
  node n;
  n.op = &op;
  n.type = a.type();
  set_shape(n, shape);
  set_convolution(n, c);
  n.operand_count = 2;
  n.operands[0] = a.id;
  n.operands[1] = b.id;
  return a.insert(n);
}

// Of the shape of the value that the result takes the place of.
constexpr value convolve_like(value x, value weight, value y, const convolution_windows& c);
constexpr value convolve_data_like(value y, value weight, value x, const convolution_windows& c);
constexpr value convolve_filter_like(value x, value y, value weight, const convolution_windows& c);

/// [N, C, L...] <-> [C, N, L...]
constexpr value exchange_first(value x) { return move_axis(x, 1, 0); }

/// The elements of all axes from the given one on make the columns of a matrix, the others its rows. There
/// are `groups` of them, without that axis where there is one group.
constexpr value as_matrices(value x, int groups, int first_of_columns) {
  extent_table& e = x.builder->extents;
  std::int64_t extents[] = {1, 1};
  for (int i = 0; i < x.rank(); ++i) {
    std::int64_t& count = extents[i < first_of_columns ? 0 : 1];
    count = e.multiply(count, x.get().shape[i]);
  }
  if (groups == 1) return reshape(x, {2, {extents[0], extents[1]}});
  return reshape(x, {3, {groups, e.divide(extents[0], groups), extents[1]}});
}

/// Where all_windows puts the windows' elements: behind the channels, so that these make the rows of a
/// matrix.
inline constexpr int behind_channels[max_spatial] = {1, 2};

/// x with its padding, as far as the windows at y's positions reach: a transposed convolution with
/// output_padding may leave room for one more.
constexpr value within_windows(value x, const spatial_windows& w, const node& y) {
  x = pad_spatial(x, w);
  extent_table& e = x.builder->extents;
  for (int s = 0; s < w.axes; ++s) {
    const std::int64_t extent = x.get().shape[2 + s], count = y.shape[2 + s];
    if (window_count(*x.builder, extent, w.along[s]) == count) continue;
    const std::int64_t starts = e.multiply(count, w.along[s].stride),
                       rest = span_of(w.along[s]) - w.along[s].stride;
    x = slice(x, 2 + s, 0, 1, rest < 0 ? e.subtract(starts, -rest) : e.add(starts, rest));
  }
  return x;
}

/// The windows at y's positions become the columns of a matrix (Chellapilla et al., 2006): [C / groups *
/// kernel, N * positions].
constexpr value columns_of(value x, const convolution_windows& a, const node& y) {
  const value seen = all_windows(exchange_first(within_windows(x, a.windows, y)), a.windows, behind_channels);
  return as_matrices(seen, a.groups, 1 + a.windows.axes);
}
/// [O / groups, N * positions]
constexpr value rows_of(value y, int groups) { return as_matrices(exchange_first(y), groups, 1); }
/// [O / groups, C / groups * kernel]
constexpr value filters_of(value weight, int groups) { return as_matrices(weight, groups, 1); }

}  // namespace detail

struct convolve_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    const convolution_windows c = convolution_of(y.get(), x[1].get());
    return k == 0 ? detail::convolve_data_like(g, x[1], x[0], c)
                  : detail::convolve_filter_like(x[0], g, x[1], c);
  }
  static constexpr value expansion_of(const value* x, const node& y) {
    const convolution_windows a = convolution_of(y, x[1].get());
    shape_list s{.rank = y.rank};  // [O, N, positions...]
    for (int i = 0; i < y.rank; ++i) s.extents[i] = y.shape[i < 2 ? 1 - i : i];
    const value product = matmul(detail::filters_of(x[1], a.groups), detail::columns_of(x[0], a, y));
    return detail::exchange_first(reshape(product, s));
  }
  static constexpr operation op{"convolution", convolution_part::y, jacobian::linear, &cotangent_of,
                                &expansion_of};
};

struct convolve_data_operation {
  static constexpr value cotangent_of(int k, value g, const value* y, value x) {
    const convolution_windows c = convolution_of(x.get(), y[1].get());
    return k == 0 ? detail::convolve_like(g, y[1], y[0], c) : detail::convolve_filter_like(g, y[0], y[1], c);
  }
  static constexpr value expansion_of(const value* y, const node& x) {
    const convolution_windows a = convolution_of(x, y[1].get());
    const spatial_windows& w = a.windows;
    const value product =
        matmul(transpose_last(detail::filters_of(y[1], a.groups)), detail::rows_of(y[0], a.groups));
    shape_list s{.rank = 2 + 2 * w.axes, .extents = {x.shape[1]}};  // [C, kernel..., N, positions...]
    s.extents[1 + w.axes] = x.shape[0];
    for (int i = 0; i < w.axes; ++i) {
      s.extents[1 + i] = w.along[i].size;
      s.extents[2 + w.axes + i] = y[0].get().shape[2 + i];
    }
    return detail::exchange_first(
        detail::add_padded_windows(reshape(product, s), w, detail::behind_channels, x.shape + 2));
  }
  static constexpr operation op{"convolution's transpose", convolution_part::x, jacobian::linear,
                                &cotangent_of, &expansion_of};
};

struct convolve_filter_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value weight) {
    const convolution_windows c = convolution_of(weight.get(), weight.get());
    return k == 0 ? detail::convolve_data_like(x[1], g, x[0], c) : detail::convolve_like(x[0], g, x[1], c);
  }
  static constexpr value expansion_of(const value* x, const node& weight) {
    const convolution_windows a = convolution_of(weight, weight);
    shape_list s{.rank = weight.rank};
    for (int i = 0; i < s.rank; ++i) s.extents[i] = weight.shape[i];
    return reshape(
        matmul(detail::rows_of(x[1], a.groups), transpose_last(detail::columns_of(x[0], a, x[1].get()))), s);
  }
  static constexpr operation op{"convolution's weight gradient", convolution_part::weight, jacobian::linear,
                                &cotangent_of, &expansion_of};
};

namespace detail {

constexpr value convolve_like(value x, value weight, value y, const convolution_windows& c) {
  return convolution_node(convolve_operation::op, x, weight, shape_of(y), c);
}
constexpr value convolve_data_like(value y, value weight, value x, const convolution_windows& c) {
  return convolution_node(convolve_data_operation::op, y, weight, shape_of(x), c);
}
constexpr value convolve_filter_like(value x, value y, value weight, const convolution_windows& c) {
  return convolution_node(convolve_filter_operation::op, x, y, shape_of(weight), c);
}

}  // namespace detail

constexpr value convolve(value x, value weight, const spatial_windows& w, int groups) {
  extent_table& e = x.builder->extents;
  shape_list s{.rank = 2 + w.axes, .extents = {x.get().shape[0], weight.get().shape[0]}};
  for (int i = 0; i < w.axes; ++i)
    s.extents[2 + i] = window_count(*x.builder, e.add(x.get().shape[2 + i], 2 * w.padding[i]), w.along[i]);
  return detail::convolution_node(convolve_operation::op, x, weight, s, {w, groups});
}

constexpr value convolve_data(value y, value weight, const spatial_windows& w, int groups,
                              const std::int64_t* extents) {
  shape_list s{.rank = 2 + w.axes, .extents = {y.get().shape[0]}};
  s.extents[1] = y.builder->extents.multiply(weight.get().shape[1], groups);
  for (int i = 0; i < w.axes; ++i) s.extents[2 + i] = extents[i];
  return detail::convolution_node(convolve_data_operation::op, y, weight, s, {w, groups});
}

}  // namespace tapeless
