// SPDX-License-Identifier: BSL-1.0
// A batch of matrix products with constant extents and strides.
#pragma once

#include <cstddef>

#include <tapeless/run/bare/bare_memory.hpp>
#include <tapeless/run/common/element_types.hpp>

namespace tapeless::bare_kernels {

template <class GraphBuilder, class Layout, int Product>
struct bare_product {
  static constexpr planned_product product = plan_of<GraphBuilder>.products[Product];
  static constexpr auto m = static_cast<std::ptrdiff_t>(product.m),
                        n = static_cast<std::ptrdiff_t>(product.n),
                        k = static_cast<std::ptrdiff_t>(product.k);
  using stored = storage_of<product.type>;
  using value = computed_as<product.type>;

  static void run(const bare_memory& memory, std::ptrdiff_t iteration) {
    batches<0>(start<const stored, product.a.base>(memory, product.a, iteration),
               start<const stored, product.b.base>(memory, product.b, iteration),
               start<stored, product.c.base>(memory, product.c, iteration));
  }

 private:
  static constexpr int row = product.batch_rank, column = row + 1;
  static constexpr auto stride(const access& a, int axis) {
    return static_cast<std::ptrdiff_t>(a.strides[axis]);
  }
  static constexpr std::ptrdiff_t a_row = stride(product.a, row), a_column = stride(product.a, column),
                                  b_row = stride(product.b, row), b_column = stride(product.b, column);

  template <class T, int Base>
  static T* start(const bare_memory& memory, const access& a, std::ptrdiff_t iteration) {
    return elements_of<GraphBuilder, Layout, T, Base>(
        memory,
        static_cast<std::ptrdiff_t>(a.offset) + iteration * static_cast<std::ptrdiff_t>(a.iteration_stride));
  }

  template <int Axis>
  static void batches(const stored* a, const stored* b, stored* c) {
    if constexpr (Axis == product.batch_rank) {
      if constexpr (k > 1 && b_column != 1 && n > 1) {
        by_sums(a, b, c);
      } else {
        by_rows(a, b, c);
      }
    } else {
      constexpr auto extent = static_cast<std::ptrdiff_t>(product.batch[Axis]);
      for (std::ptrdiff_t i = 0; i < extent; ++i)
        batches<Axis + 1>(a + i * stride(product.a, Axis), b + i * stride(product.b, Axis),
                          c + i * stride(product.c, Axis));
    }
  }

  // Each row of c is a sum of rows of b: neighbours are computed together.
  static void by_rows(const stored* a, const stored* b, stored* c) {
    for (std::ptrdiff_t i = 0; i < m; ++i) {
      value sums[n] = {};
      for (std::ptrdiff_t p = 0; p < k; ++p) {
        const auto factor = static_cast<value>(a[i * a_row + p * a_column]);
        for (std::ptrdiff_t j = 0; j < n; ++j)
          sums[j] += factor * static_cast<value>(b[p * b_row + j * b_column]);
      }
      for (std::ptrdiff_t j = 0; j < n; ++j) c[i * n + j] = static_cast<stored>(sums[j]);
    }
  }

  // Each element of c is a sum of its own, in so many parts that can be added at once.
  static constexpr std::ptrdiff_t parts = 8;
  static void by_sums(const stored* a, const stored* b, stored* c) {
    for (std::ptrdiff_t i = 0; i < m; ++i)
      for (std::ptrdiff_t j = 0; j < n; ++j) {
        constexpr std::ptrdiff_t whole = k / parts * parts;
        const auto term = [&](std::ptrdiff_t p) {
          return static_cast<value>(a[i * a_row + p * a_column]) *
                 static_cast<value>(b[p * b_row + j * b_column]);
        };
        value sum{};
        if constexpr (whole > 0) {
          value sums[parts] = {};
          for (std::ptrdiff_t p = 0; p < whole; p += parts)
            for (std::ptrdiff_t part = 0; part < parts; ++part) sums[part] += term(p + part);
          for (std::ptrdiff_t half = parts / 2; half > 0; half /= 2)
            for (std::ptrdiff_t part = 0; part < half; ++part) sums[part] += sums[part + half];
          sum = sums[0];
        }
        for (std::ptrdiff_t p = whole; p < k; ++p) sum += term(p);
        c[i * n + j] = static_cast<stored>(sum);
      }
  }
};

}  // namespace tapeless::bare_kernels
