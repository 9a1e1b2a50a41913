// SPDX-License-Identifier: BSL-1.0
// The transforms of Winograd's convolution F(2x2, 3x3), on vectors of channels. Along one axis, with d four
// elements of the source, g three of the kernel and y two results,
//
//   y = A^T [(G g) * (B^T d)],   B^T d = (d0 - d2, d1 + d2, d2 - d1, d3 - d1),
//   G g = (g0, (g0 + g1 + g2) / 2, (g0 - g1 + g2) / 2, g2),   A^T m = (m0 + m1 + m2, m1 - m2 + m3),
//
// which takes four products in place of six; along both axes one after the other, 16 in place of 36. The
// gradient of g is G^T [(A y) * (B^T d)]. S. Winograd, Arithmetic Complexity of Computations, 1980; A. Lavin
// and S. Gray, Fast Algorithms for Convolutional Neural Networks, 2016, with the sign of d3 - d1 turned.
#pragma once

#include <cstdint>

#include <tapeless/run/cpu/vectors/vector_arithmetic.hpp>

namespace tapeless::cpu_kernels {

/// Results of a tile along an axis, and elements of the source that they are made of.
inline constexpr std::int64_t winograd_results = 2, winograd_elements = 4;
/// Products of a tile.
inline constexpr std::int64_t winograd_products = winograd_elements * winograd_elements;

namespace detail {

// Members rather than arrays, which a compiler may keep in memory.
template <class T>
struct two_vectors {
  wide<T> a, b;
};
template <class T>
struct three_vectors {
  wide<T> a, b, c;
};
template <class T>
struct four_vectors {
  wide<T> a, b, c, d;
};

template <class T>
[[gnu::always_inline]] inline four_vectors<T> transform_source(wide<T> a, wide<T> b, wide<T> c, wide<T> d) {
  return {a - c, b + c, c - b, d - b};
}
template <class T>
[[gnu::always_inline]] inline four_vectors<T> transform_weights(wide<T> a, wide<T> b, wide<T> c) {
  const wide<T> half = splat(T(0.5)), outer = (a + c) * half, inner = b * half;
  return {a, outer + inner, outer - inner, c};
}
template <class T>
[[gnu::always_inline]] inline three_vectors<T> sum_weights(wide<T> a, wide<T> b, wide<T> c, wide<T> d) {
  const wide<T> half = splat(T(0.5)), sum = (b + c) * half;
  return {a + sum, (b - c) * half, sum + d};
}
template <class T>
[[gnu::always_inline]] inline two_vectors<T> sum_results(wide<T> a, wide<T> b, wide<T> c, wide<T> d) {
  return {a + b + c, b - c + d};
}
template <class T>
[[gnu::always_inline]] inline four_vectors<T> transform_results(wide<T> a, wide<T> b) {
  return {a, a + b, a - b, b};
}

template <class T>
[[gnu::always_inline]] inline void store_four(T* to, std::int64_t stride, const four_vectors<T>& x) {
  store(to, x.a);
  store(to + stride, x.b);
  store(to + 2 * stride, x.c);
  store(to + 3 * stride, x.d);
}

}  // namespace detail

/// A block of tiles: `rows` times `columns` of each of so many images.
struct winograd_tiles {
  std::int64_t images, rows, columns;

  constexpr std::int64_t count() const { return images * rows * columns; }
};

/// B^T d B of all tiles of one vector of channels, which is packed as [image, row, column, channel]. Product
/// e of tile t is the vector at to + e * product + t * tile.
template <class T>
void transform_source_tiles(const winograd_tiles& tiles, const T* from, T* to, std::int64_t product,
                            std::int64_t tile) {
  constexpr std::int64_t width = packet_size<T>;
  const std::int64_t columns = 2 * tiles.columns + 2, row_length = columns * width;
  for (std::int64_t n = 0; n < tiles.images; ++n, from += 2 * row_length)
    for (std::int64_t r = 0; r < tiles.rows; ++r, from += 2 * row_length) {
      const auto column = [&](std::int64_t j) {
        const T* const at = from + j * width;
        return detail::transform_source(load(at), load(at + row_length), load(at + 2 * row_length),
                                        load(at + 3 * row_length));
      };
      detail::four_vectors<T> first = column(0), second = column(1);
      for (std::int64_t c = 0; c < tiles.columns; ++c, to += tile) {
        const detail::four_vectors<T> third = column(2 * c + 2), fourth = column(2 * c + 3);
        T* const row = to;
        const std::int64_t next = winograd_elements * product;
        detail::store_four(row, product, detail::transform_source(first.a, second.a, third.a, fourth.a));
        detail::store_four(row + next, product,
                           detail::transform_source(first.b, second.b, third.b, fourth.b));
        detail::store_four(row + 2 * next, product,
                           detail::transform_source(first.c, second.c, third.c, fourth.c));
        detail::store_four(row + 3 * next, product,
                           detail::transform_source(first.d, second.d, third.d, fourth.d));
        first = third;
        second = fourth;
      }
    }
}

/// A^T m A of all tiles of one vector of channels; m as transform_source_tiles writes it, the results as it
/// reads them.
template <class T>
void sum_result_tiles(const winograd_tiles& tiles, const T* from, std::int64_t product, std::int64_t tile,
                      T* to) {
  constexpr std::int64_t width = packet_size<T>;
  const std::int64_t row_length = 2 * tiles.columns * width;
  for (std::int64_t r = 0; r < tiles.images * tiles.rows; ++r, to += row_length)
    for (std::int64_t c = 0; c < tiles.columns; ++c, from += tile, to += 2 * width) {
      const auto row = [&](std::int64_t i) {
        const T* const at = from + i * winograd_elements * product;
        return detail::sum_results(load(at), load(at + product), load(at + 2 * product),
                                   load(at + 3 * product));
      };
      const detail::two_vectors<T> first = row(0), second = row(1), third = row(2), fourth = row(3);
      const detail::two_vectors<T> left = detail::sum_results(first.a, second.a, third.a, fourth.a),
                                   right = detail::sum_results(first.b, second.b, third.b, fourth.b);
      store(to, left.a);
      store(to + width, right.a);
      store(to + row_length, left.b);
      store(to + row_length + width, right.b);
    }
}

/// A y A^T of all tiles of one vector of channels of a gradient; y as sum_result_tiles writes it.
template <class T>
void transform_result_tiles(const winograd_tiles& tiles, const T* from, T* to, std::int64_t product,
                            std::int64_t tile) {
  constexpr std::int64_t width = packet_size<T>;
  const std::int64_t row_length = 2 * tiles.columns * width, next = winograd_elements * product;
  for (std::int64_t r = 0; r < tiles.images * tiles.rows; ++r, from += row_length)
    for (std::int64_t c = 0; c < tiles.columns; ++c, from += 2 * width, to += tile) {
      const detail::four_vectors<T> left = detail::transform_results(load(from), load(from + row_length)),
                                    right = detail::transform_results(load(from + width),
                                                                      load(from + row_length + width));
      detail::store_four(to, product, detail::transform_results(left.a, right.a));
      detail::store_four(to + next, product, detail::transform_results(left.b, right.b));
      detail::store_four(to + 2 * next, product, detail::transform_results(left.c, right.c));
      detail::store_four(to + 3 * next, product, detail::transform_results(left.d, right.d));
    }
}

/// G g G^T of a vector of kernels, whose element (i, j) is g(i, j). Product e is at to + e * product.
template <class T, class Element>
void transform_kernels(Element g, T* to, std::int64_t product) {
  const auto column = [&](int j) { return detail::transform_weights(g(0, j), g(1, j), g(2, j)); };
  const detail::four_vectors<T> first = column(0), second = column(1), third = column(2);
  const std::int64_t next = winograd_elements * product;
  detail::store_four(to, product, detail::transform_weights(first.a, second.a, third.a));
  detail::store_four(to + next, product, detail::transform_weights(first.b, second.b, third.b));
  detail::store_four(to + 2 * next, product, detail::transform_weights(first.c, second.c, third.c));
  detail::store_four(to + 3 * next, product, detail::transform_weights(first.d, second.d, third.d));
}

/// G^T s G of a vector of sums, of which product e is s(e): put(i, j, vector) for each element of the
/// kernels.
template <class T, class Sum, class Put>
void sum_kernels(Sum s, Put put) {
  const auto row = [&](int i) {
    return detail::sum_weights<T>(s(4 * i), s(4 * i + 1), s(4 * i + 2), s(4 * i + 3));
  };
  const detail::three_vectors<T> first = row(0), second = row(1), third = row(2), fourth = row(3);
  const auto column = [&](int j, wide<T> a, wide<T> b, wide<T> c, wide<T> d) {
    const detail::three_vectors<T> sums = detail::sum_weights(a, b, c, d);
    put(0, j, sums.a);
    put(1, j, sums.b);
    put(2, j, sums.c);
  };
  column(0, first.a, second.a, third.a, fourth.a);
  column(1, first.b, second.b, third.b, fourth.b);
  column(2, first.c, second.c, third.c, fourth.c);
}

}  // namespace tapeless::cpu_kernels
