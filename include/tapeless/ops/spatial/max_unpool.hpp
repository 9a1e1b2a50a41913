// SPDX-License-Identifier: BSL-1.0
// max_pool2d_with_indices<pool{.kernel = 2}>(x): the largest element of each window, and where it is; and
// max_unpool2d, which puts elements back there. Along one and three axes, too.
#pragma once

#include <array>
#include <tuple>

#include <tapeless/ops/base/given_extents.hpp>
#include <tapeless/ops/indexing/scatter_add.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/spatial/pool3d.hpp>

namespace tapeless {

// The first of equal largest elements, numbered row by row in its image without padding.
struct max_pool_indices_operation {
  static constexpr bool is_mean = false;
  static constexpr std::string_view names[] = {"max_pool1d_with_indices", "max_pool2d_with_indices",
                                               "max_pool3d_with_indices"};
  static constexpr value build(value x, const spatial_windows& w, const pool& options) {
    graph& g = *x.builder;
    const detail::elements_behind behind = detail::behind(w, options);
    const value seen = detail::pool_windows(detail::pad_spatial(detail::pad_behind(x, behind), w), w);
    const value y = detail::beside_windows(max_pool_operation::build(x, w, options), w.axes);
    value found = seen == y || seen != seen, place;  // a NaN is the largest
    std::int64_t step = 1;
    const unsigned elements = detail::window_axes(w.axes);
    for (int s = w.axes - 1, position = seen.rank() - 1; s >= 0; --s, --position) {
      while ((elements >> position & 1u) != 0) --position;
      const int element_axis = detail::before_last[w.axes - 1][s];
      const auto along = [&](int axis) {
        shape_list ones = shape_of(seen);
        for (int i = 0; i < ones.rank; ++i) ones.extents[i] = i == axis ? ones.extents[i] : 1;
        return make_iota(g, ones, axis, element::i64);
      };
      const value at = along(position) * static_cast<double>(w.along[s].stride) +
                       along(element_axis) * static_cast<double>(w.along[s].dilation) -
                       static_cast<double>(w.padding[s]);
      if (w.padding[s] != 0 || behind.along[s] != 0)
        found = found && at >= 0 && at < make_size(g, x.get().shape[2 + s]);
      const value here = at * make_size(g, step);
      place = place.exists() ? place + here : here;
      step = g.extents.multiply(step, x.get().shape[2 + s]);
    }
    return min_reduction_operation::build(where(found, place, 9e15), elements, false);
  }
};

template <int Axes, pool Options, extent... E>
struct max_unpool_statement {
  static constexpr std::string_view name = Axes == 1   ? "max_unpool1d"
                                           : Axes == 2 ? "max_unpool2d"
                                                       : "max_unpool3d";
  static constexpr int arity = 2;
  static constexpr text refusal() {
    if (!(Options.dilation == spatial_extents(1))) return text() << name << " takes no dilation";
    if (sizeof...(E) != 0 && sizeof...(E) != Axes)
      return text() << name << " takes all spatial extents of its result, or none";
    const text t = detail::refused_options(name, Options, Axes);
    return t.empty() ? detail::refused_extents<E...>(name) : t;
  }

  static constexpr value build(value x, value index) {
    if (x.rank() == 1 + Axes && index.rank() == x.rank()) {
      const auto batch = [](value v) {
        shape_list s{v.rank() + 1, {1}};
        for (int i = 1; i < s.rank; ++i) s.extents[i] = v.get().shape[i - 1];
        return reshape(v, s);
      };
      const value y = build(batch(x), batch(index));
      if (x.builder->failed()) return y;
      shape_list s{y.rank() - 1, {}};
      for (int i = 0; i < s.rank; ++i) s.extents[i] = y.get().shape[i + 1];
      return reshape(y, s);
    }
    if (x.rank() != 2 + Axes || !is_floating(x.type()) || !detail::is_index(index) ||
        !(shape_of(x) == shape_of(index)))
      return detail::index_does_not_fit(text()
                                            << name << " takes [batch, channels, " << detail::image_axes(Axes)
                                            << "] of floating numbers, and integers of that shape; it",
                                        x, index);
    graph& g = *x.builder;
    const spatial_windows w = detail::windows_of(Options, Axes);
    const std::int64_t given[] = {g.extents.number(E)..., 0};
    shape_list result = shape_of(x);
    std::int64_t positions = 1, elements = 1;
    bool overlap = false;
    for (int s = 0; s < Axes; ++s) {
      positions = g.extents.multiply(positions, result.extents[2 + s]);
      const std::int64_t rest = w.along[s].size - w.along[s].stride - 2 * w.padding[s],
                         starts = g.extents.multiply(result.extents[2 + s], w.along[s].stride);
      if (sizeof...(E) == 0 && result.extents[2 + s] == 0 && rest < 0)
        return x.fail(detail::shape_sentence(name, x)
                      << ": axis " << 2 + s << " has no windows, so its extent is to be given: tl::" << name
                      << "<options, E..>(x, index)");
      result.extents[2 + s] = sizeof...(E) != 0 ? given[s]
                              : rest < 0        ? g.extents.subtract(starts, -rest)
                                                : g.extents.add(starts, rest);
      elements = g.extents.multiply(elements, result.extents[2 + s]);
      overlap = overlap || w.along[s].size > w.along[s].stride;
    }
    const shape_list from{3, {result.extents[0], result.extents[1], positions}};
    const shape_list to{3, {result.extents[0], result.extents[1], elements}};
    const value places = reshape(index, from);
    const value y = scatter_add(places, reshape(x, from), 2, to);
    if (!overlap) return reshape(y, result);
    const value ones = expand(make_constant(g, 1, x.type()), from);
    return reshape(y / max(scatter_add(places, ones, 2, to), 1.0), result);
  }
};

namespace detail {

inline constexpr sentence pool_of_two{"<tl::pool{.kernel = 2}>(x, index)"};
/// refuse_call of what has two results.
template <sentence Name, class... X>
constexpr auto refuse_pool_with_indices(const X&... x) {
  const auto y = refuse_call<Name, options_are_a_pool, pool_of_x>(x...);
  return std::make_tuple(y, y);
}

template <int Axes, pool Options, class X>
TAPELESS_FACTORY auto max_pool_with_indices(X x) {
  using values = pool_statement<max_pool_operation, Axes, Options>;
  using indices = pool_statement<max_pool_indices_operation, Axes, Options>;
  if constexpr (is_value<X>) {
    return std::array<value, 2>{make<values>(x), make<indices>(x)};
  } else {
    return std::make_tuple(make<values>(x), make<indices>(x));
  }
}

}  // namespace detail

/// max_pool1d's result, and where in its sequence, which is numbered row by row, the first largest element of
/// each window is: auto [y, index] = max_pool1d_with_indices<pool{.kernel = 2}>(x). Indices are int64, of y's
/// shape.
/// @formula y = the largest element of each window; index = its number in its image
/// @shapes floating [N, C, L] -> two of max_pool1d's shape, one of int64
/// @errors pool_kernel pool_rank unpool_kernel_as_number
/// @torch torch.nn.functional.max_pool1d(return_indices=True)
/// @jax none
/// @given x = [[[1, 5, 3, 2]]]
/// @example auto [y, index] = tl::max_pool1d_with_indices<tl::pool{.kernel = 2}>(x);
/// @gives y = [[[5, 3]]]
/// @gives index = [[[1, 2]]]
template <pool Options>
TAPELESS_FACTORY auto max_pool1d_with_indices(operand auto x) {
  return detail::max_pool_with_indices<1, Options>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto max_pool1d_with_indices(const X&... x) {
  return detail::refuse_pool_with_indices<sentence{"max_pool1d_with_indices"}>(x...);
}

/// Zeros, but for x's elements, each of which is where its index says: x and index [N, C, L], as
/// max_pool1d_with_indices gives them -> spatial extents E..., or (extent - 1)*stride - 2*padding + kernel
/// where none are given. Of elements with one index, which overlapping windows have, the mean is taken. The
/// batch may be left out.
/// @formula y[n, c, index[n, c, p]] = x[n, c, p]; 0 elsewhere
/// @shapes floating [N, C, L], integers of that shape -> [N, C, E..]
/// @errors spatial_options unpool_kernel_as_number
/// @torch torch.nn.functional.max_unpool1d
/// @jax none
/// @given x = [[[5, 3]]]; index = int64 [[[1, 2]]]
/// @gives tl::max_unpool1d<tl::pool{.kernel = 2}>(x, index) = [[[0, 5, 3, 0]]]
template <pool Options, extent... E>
TAPELESS_FACTORY auto max_unpool1d(operand auto x, operand auto index) {
  return make<max_unpool_statement<1, Options, E...>>(x, index);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto max_unpool1d(const X&... x) {
  return detail::refuse_call<sentence{"max_unpool1d"}, detail::options_are_a_pool, detail::pool_of_two>(x...);
}

/// max_pool2d's result, and where in its image, which is numbered row by row, the first largest element of
/// each window is: auto [y, index] = max_pool2d_with_indices<pool{.kernel = 2}>(x). Indices are int64, of y's
/// shape.
/// @formula y = the largest element of each window; index = its number in its image
/// @shapes floating [N, C, H, W] -> two of max_pool2d's shape, one of int64
/// @errors pool_kernel pool_rank unpool_kernel_as_number
/// @torch torch.nn.functional.max_pool2d(return_indices=True)
/// @jax none
/// @given x = [[[[1, 5, 3, 2], [4, 0, 7, 6]]]]
/// @example auto [y, index] = tl::max_pool2d_with_indices<tl::pool{.kernel = 2}>(x);
/// @gives y = [[[[5, 7]]]]
/// @gives index = [[[[1, 6]]]]
template <pool Options>
TAPELESS_FACTORY auto max_pool2d_with_indices(operand auto x) {
  return detail::max_pool_with_indices<2, Options>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto max_pool2d_with_indices(const X&... x) {
  return detail::refuse_pool_with_indices<sentence{"max_pool2d_with_indices"}>(x...);
}

/// Zeros, but for x's elements, each of which is where its index says: x and index [N, C, H, W], as
/// max_pool2d_with_indices gives them -> spatial extents E..., or (extent - 1)*stride - 2*padding + kernel
/// where none are given. Of elements with one index, which overlapping windows have, the mean is taken. The
/// batch may be left out.
/// @formula y[n, c, index[n, c, p]] = x[n, c, p]; 0 elsewhere
/// @shapes floating [N, C, H, W], integers of that shape -> [N, C, E..]
/// @errors spatial_options unpool_kernel_as_number
/// @torch torch.nn.functional.max_unpool2d
/// @jax none
/// @given x = [[[[5, 7]]]]; index = int64 [[[[1, 6]]]]
/// @gives tl::max_unpool2d<tl::pool{.kernel = 2}>(x, index) = [[[[0, 5, 0, 0], [0, 0, 7, 0]]]]
template <pool Options, extent... E>
TAPELESS_FACTORY auto max_unpool2d(operand auto x, operand auto index) {
  return make<max_unpool_statement<2, Options, E...>>(x, index);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto max_unpool2d(const X&... x) {
  return detail::refuse_call<sentence{"max_unpool2d"}, detail::options_are_a_pool, detail::pool_of_two>(x...);
}

/// max_pool3d's result, and where in its volume, which is numbered row by row, the first largest element of
/// each window is: auto [y, index] = max_pool3d_with_indices<pool{.kernel = 2}>(x). Indices are int64, of y's
/// shape.
/// @formula y = the largest element of each window; index = its number in its image
/// @shapes floating [N, C, D, H, W] -> two of max_pool3d's shape, one of int64
/// @errors pool_kernel pool_rank unpool_kernel_as_number
/// @torch torch.nn.functional.max_pool3d(return_indices=True)
/// @jax none
/// @given x = [[[[[1, 5]], [[4, 0]]]]]
/// @example auto [y, index] = tl::max_pool3d_with_indices<tl::pool{.kernel = {2, 1, 1}}>(x);
/// @gives y = [[[[[4, 5]]]]]
/// @gives index = [[[[[2, 1]]]]]
template <pool Options>
TAPELESS_FACTORY auto max_pool3d_with_indices(operand auto x) {
  return detail::max_pool_with_indices<3, Options>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto max_pool3d_with_indices(const X&... x) {
  return detail::refuse_pool_with_indices<sentence{"max_pool3d_with_indices"}>(x...);
}

/// Zeros, but for x's elements, each of which is where its index says: x and index [N, C, D, H, W], as
/// max_pool3d_with_indices gives them -> spatial extents E..., or (extent - 1)*stride - 2*padding + kernel
/// where none are given. Of elements with one index, which overlapping windows have, the mean is taken. The
/// batch may be left out.
/// @formula y[n, c, index[n, c, p]] = x[n, c, p]; 0 elsewhere
/// @shapes floating [N, C, D, H, W], integers of that shape -> [N, C, E..]
/// @errors spatial_options unpool_kernel_as_number
/// @torch torch.nn.functional.max_unpool3d
/// @jax none
/// @given x = [[[[[4, 5]]]]]; index = int64 [[[[[2, 1]]]]]
/// @gives tl::max_unpool3d<tl::pool{.kernel = {2, 1, 1}}>(x, index) = [[[[[0, 5]], [[4, 0]]]]]
template <pool Options, extent... E>
TAPELESS_FACTORY auto max_unpool3d(operand auto x, operand auto index) {
  return make<max_unpool_statement<3, Options, E...>>(x, index);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto max_unpool3d(const X&... x) {
  return detail::refuse_call<sentence{"max_unpool3d"}, detail::options_are_a_pool, detail::pool_of_two>(x...);
}

}  // namespace tapeless
