// SPDX-License-Identifier: BSL-1.0
// A batch of matrix products with constant extents and strides, in vectors where the machine has them. In
// which order terms are summed up bare_product_sums.hpp says.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_factors.hpp>
#include <tapeless/run/bare/bare_packed_operands.hpp>
#include <tapeless/run/bare/bare_product_in_parts.hpp>
#include <tapeless/run/bare/bare_product_sums.hpp>
#include <tapeless/run/bare/bare_shape.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>
#include <tapeless/run/bare/bare_wide.hpp>
#include <tapeless/run/common/element_types.hpp>

namespace tapeless::bare_kernels {

/// IsWaitedFor: the next run needs what comes of this one, as steps do. Else runs overlap, and only what they
/// take counts. Bits are the same. IsPacked: as in bare_product_sums.
template <auto Shape, class Arithmetic = own_arithmetic, bool IsWaitedFor = true, bool IsPacked = false>
struct bare_product : private bare_product_sums<Shape, Arithmetic, IsPacked> {
  [[gnu::always_inline]] static void run(std::byte* const* operands, std::ptrdiff_t) {
    batches<0>(begin_of<const stored>(operands, product.a), begin_of<const stored>(operands, product.b),
               begin_of<stored>(operands, product.c));
  }
  /// Packs b, whose columns are contiguous, to rows of whole vectors.
  static void pack(const std::byte* from, std::byte* to) {
    pack_from<0, width_for(n)>(reinterpret_cast<const stored*>(from) + product.b.offset,
                               reinterpret_cast<value*>(to));
  }

 private:
  using base = bare_product_sums<Shape, Arithmetic, IsPacked>;
  using base::as_tables, base::has_columns, base::most_terms_packed, base::in_parts, base::sums,
      base::first_of_sum;
  using base::product, base::m, base::n, base::k, base::a_row, base::a_column, base::b_row, base::b_column,
      base::stride;
  using base::widest, base::width_for, base::held_at_once, base::sums_of_tile;
  using typename base::stored;
  using typename base::value;
  template <int Width>
  using factor = typename base::template factor<Width>;
  template <int Width>
  using partial_sums = typename base::template partial_sums<Width>;

  struct shape_in_parts {
    static constexpr std::ptrdiff_t m = base::m, n = base::n, k = base::k, a_row = base::a_row,
                                    b_column = base::b_column;
    static constexpr int parts = base::order.sums;
    static constexpr bool is_waited_for = IsWaitedFor;
  };

  template <int Axis>
  [[gnu::always_inline]] static void batches(const stored* a, const stored* b, stored* c) {
    if constexpr (Axis == product.batch_rank) {
      if constexpr (m == 0 || n == 0 || k == 0) {  // sums without terms, if any
        for (std::ptrdiff_t i = 0; i < m * n; ++i) c[i] = static_cast<stored>(value(0));
      } else if constexpr (in_parts) {
        bare_product_in_parts<stored, value, Arithmetic, shape_in_parts>::run(a, b, c);
      } else if constexpr (a_row == 1 && width_for(m) > width_for(n)) {
        down<0, width_for(m)>(a, b, c);
      } else if constexpr (widest > 1 && has_columns &&
                           (as_tables ? n >= least_vector_width<value> : n > 4 && m >= 4) && k > 8 &&
                           k <= most_terms_packed) {
        packed<0, width_for(n)>(a, b, c);
      } else {
        across<0, width_for(n)>(a, b, c);
      }
    } else {
      constexpr auto extent = static_cast<std::ptrdiff_t>(product.batch[Axis]);
      for (std::ptrdiff_t i = 0; i < extent; ++i)
        batches<Axis + 1>(a + i * stride(product.a, Axis), b + i * stride(product.b, Axis),
                          c + i * stride(product.c, Axis));
    }
  }

  // Columns of c from Begin on, in vectors of Width neighbours in a row.
  template <std::ptrdiff_t Begin, int Width>
  [[gnu::always_inline]] static void across(const stored* a, const stored* b, stored* c) {
    constexpr int most = k <= 8 ? held_at_once / static_cast<int>(k < 1 ? 1 : k)
                                : (sums == 1 && m >= 4 ? 2 : held_at_once / sums);
    constexpr std::ptrdiff_t vectors = (n - Begin) / Width;
    constexpr int together = static_cast<int>(vectors < most ? vectors : most);
    constexpr std::ptrdiff_t step = together * Width, end = Begin + (n - Begin) / step * step;
    for (std::ptrdiff_t j = Begin; j < end; j += step) {
      if constexpr (is_of_pairs<Width>) {
        pairs<Width, together>(a, b + j * b_column, c + j);
      } else if constexpr (k <= 8) {
        few_terms<Width, together>(a, b + j * b_column, c + j);
      } else {
        base::template for_each_tile_of_rows<sums_of_tile / (sums * together)>(
            [&](std::ptrdiff_t i, auto rows) TAPELESS_INLINED {
              tile<Width, rows, together, b_row, b_column>(a + i * a_row, b + j * b_column, c + i * n + j);
            });
      }
    }
    if constexpr (end < n) across<end, width_for(n - end) < Width ? width_for(n - end) : Width>(a, b, c);
  }

  // One row of two terms, of pairs of neighbours: products first, which need not wait until pairs are apart.
  template <int Width>
  static constexpr bool is_of_pairs = m == 1 && k == 2 && Width > 1 && a_column == 1 && b_row == 1 &&
                                      b_column == 2 && sizeof(value) == 4 && std::is_same_v<stored, value>;
  template <int Width, int Vectors>
  [[gnu::always_inline]] static void pairs(const stored* a, const stored* b, stored* c) {
    const factor<Width> x = spread_pair<value, Width>(a);
    detail::repeated<Vectors>([&](int v) TAPELESS_INLINED {
      const factor<Width> first = x * load_factors<value, Width, 1>(b + 2 * v * Width),
                          second = x * load_factors<value, Width, 1>(b + (2 * v + 1) * Width);
      const auto terms = split_blocks<2>(first, second);
      put_factors<value, Width, 1>(c + v * Width, terms.first + terms.last);
    });
  }

  // Row after row, with the columns of b in registers.
  template <int Width, int Vectors>
  [[gnu::always_inline]] static void few_terms(const stored* a, const stored* b, stored* c) {
    constexpr int terms = static_cast<int>(k);
    factor<Width> held[terms * Vectors + 1];
    detail::repeated<Vectors>(
        [&](int v) TAPELESS_INLINED { load_columns<Width>(b + v * Width * b_column, held + v * terms); });
    for (std::ptrdiff_t i = 0; i < m; ++i) {
      partial_sums<Width> all[Vectors] = {};
      detail::repeated<terms>([&](int p) TAPELESS_INLINED {
        const factor<Width> x = spread_factor<value, Width>(static_cast<value>(a[i * a_row + p * a_column]));
        detail::repeated<Vectors>([&](int v) TAPELESS_INLINED {
          factor<Width>& sum = all[v].sum[p % sums];
          if (p < sums) {
            add_product<Arithmetic>(sum, x, held[v * terms + p], first_of_sum);
          } else {
            add_product<Arithmetic>(sum, x, held[v * terms + p], next_term);
          }
        });
      });
      detail::repeated<Vectors>([&](int v) TAPELESS_INLINED {
        put_factors<value, Width, 1>(c + i * n + v * Width, all[v].total());
      });
    }
  }
  // Terms of neighbouring columns of b.
  template <int Width>
  [[gnu::always_inline]] static void load_columns(const stored* b, factor<Width>* to) {
    constexpr int terms = static_cast<int>(k);
    if constexpr (Width > 1 && b_row == 1 && b_column == k && (k == 2 || k == 4 || k == 8)) {
      detail::repeated<terms>([&](int p)
                                  TAPELESS_INLINED { to[p] = load_factors<value, Width, 1>(b + p * Width); });
      take_apart<Width, terms>(to);
    } else {
      detail::repeated<terms>(
          [&](int p) TAPELESS_INLINED { to[p] = load_factors<value, Width, b_column>(b + p * b_row); });
    }
  }
  // Columns of b from Begin on, in rows of whole vectors.
  template <std::ptrdiff_t Begin, int Width>
  static void pack_from(const stored* b, value* to) {
    constexpr std::ptrdiff_t end = Begin + (n - Begin) / Width * Width, length = detail::packed_row<value>(n);
    for (std::ptrdiff_t j = Begin; j < end; j += Width)
      pack_columns<value, Width, Width, k, b_column, length>(b + j * b_column, to + j);
    if constexpr (end < n)
      pack_columns<value, Width, static_cast<int>(n - end), k, b_column, length>(b + end * b_column,
                                                                                 to + end);
  }
  // Columns of c from Begin on, by columns of b that are packed so that neighbours in a row stand side by
  // side: so many vectors at a time, the last of which may not be whole. Two share what they are multiplied
  // by, which the widest vectors take from memory at no cost.
  template <std::ptrdiff_t Begin, int Width>
  [[gnu::always_inline]] static void packed(const stored* a, const stored* b, stored* c) {
    constexpr int vectors = vector_bytes < 64 && n - Begin >= 2 * Width ? 2 : 1;
    constexpr std::ptrdiff_t step = vectors * Width, end = Begin + (n - Begin) / step * step;
    for (std::ptrdiff_t j = Begin; j < end; j += step)
      times_packed<Width, vectors, Width>(a, b + j * b_column, c + j);
    if constexpr (n - end >= Width) {
      packed<end, Width>(a, b, c);
    } else if constexpr (end < n) {
      times_packed<Width, 1, static_cast<int>(n - end)>(a, b + end * b_column, c + end);
    }
  }
  template <int Width, int Vectors, int Columns>
  [[gnu::always_inline]] static void times_packed(const stored* a, const stored* b, stored* c) {
    constexpr int row_of_right = Vectors * Width;
    value right[k * row_of_right];
    for (int v = 0; v < Vectors; ++v)
      pack_columns<value, Width, Columns, k, b_column, row_of_right>(b + v * Width * b_column,
                                                                     right + v * Width);
    base::template for_each_tile_of_rows<sums_of_tile / (sums * Vectors)>(
        [&](std::ptrdiff_t i, auto rows) TAPELESS_INLINED {
          tile<Width, rows, Vectors, row_of_right, 1, Columns>(a + i * a_row, right, c + i * n);
        });
  }

  // Rows of c and vectors in them, in registers. Only so many columns of the last vector are there.
  template <int Width, int Rows, int Vectors, std::ptrdiff_t RightRow, std::ptrdiff_t RightColumn,
            int Columns = Width, class Right>
  [[gnu::always_inline]] static void tile(const stored* a, const Right* b, stored* c) {
    factor<Width> totals[Rows * Vectors];
    base::for_each_block([&](std::ptrdiff_t begin, auto terms, auto is_first) TAPELESS_INLINED {
      partial_sums<Width> all[Rows * Vectors];
      base::template for_each_term<terms>([&](std::ptrdiff_t at, int sum, auto first) TAPELESS_INLINED {
        const std::ptrdiff_t p = begin + at;
        factor<Width> y[Vectors];
        detail::repeated<Vectors>([&](int v) TAPELESS_INLINED {
          y[v] = load_factors<value, Width, RightColumn>(b + p * RightRow + v * Width * RightColumn);
        });
        detail::repeated<Rows>([&](int i) TAPELESS_INLINED {
          const factor<Width> x =
              spread_factor<value, Width>(static_cast<value>(a[i * a_row + p * a_column]));
          detail::repeated<Vectors>([&](int v) TAPELESS_INLINED {
            add_product<Arithmetic>(all[i * Vectors + v].sum[sum], x, y[v], first);
          });
        });
      });
      base::template add_block<Rows * Vectors>(all, totals, is_first);
    });
    detail::repeated<Rows>([&](int i) TAPELESS_INLINED {
      detail::repeated<Vectors>([&](int v) TAPELESS_INLINED {
        if constexpr (Columns == Width) {
          put_factors<value, Width, 1>(c + i * n + v * Width, totals[i * Vectors + v]);
        } else {
          put_first<value, Width, Columns>(c + i * n, totals[i]);
        }
      });
    });
  }

  // Rows of c from Begin on, in vectors of Width neighbours in a column; there are few columns.
  template <std::ptrdiff_t Begin, int Width>
  [[gnu::always_inline]] static void down(const stored* a, const stored* b, stored* c) {
    constexpr std::ptrdiff_t end = Begin + (m - Begin) / Width * Width;
    constexpr int most = held_at_once / sums, columns = static_cast<int>(n < most ? n : most);
    for (std::ptrdiff_t i = Begin; i < end; i += Width) {
      for (std::ptrdiff_t j = 0; j + columns <= n; j += columns)
        columns_at<Width, columns>(a + i, b + j * b_column, c + i * n + j);
      if constexpr (n % columns != 0)
        columns_at<Width, static_cast<int>(n % columns)>(a + i, b + n / columns * columns * b_column,
                                                         c + i * n + n / columns * columns);
    }
    if constexpr (end < m) down<end, width_for(m - end) < Width ? width_for(m - end) : Width>(a, b, c);
  }
  template <int Width, int Columns>
  [[gnu::always_inline]] static void columns_at(const stored* a, const stored* b, stored* c) {
    factor<Width> x[Columns];
    base::for_each_block([&](std::ptrdiff_t begin, auto terms, auto is_first) TAPELESS_INLINED {
      partial_sums<Width> all[Columns];
      base::template for_each_term<terms>([&](std::ptrdiff_t at, int sum, auto first) TAPELESS_INLINED {
        const std::ptrdiff_t p = begin + at;
        const factor<Width> left = load_factors<value, Width, 1>(a + p * a_column);
        detail::repeated<Columns>([&](int j) TAPELESS_INLINED {
          add_product<Arithmetic>(
              all[j].sum[sum], left,
              spread_factor<value, Width>(static_cast<value>(b[p * b_row + j * b_column])), first);
        });
      });
      base::template add_block<Columns>(all, x, is_first);
    });
    if constexpr (Width > 1 && Columns == n && (Columns == 1 || Columns == 2 || Columns == 4)) {
      put_together<Columns>(x);
      detail::repeated<Columns>([&](int j)
                                    TAPELESS_INLINED { put_factors<value, Width, 1>(c + j * Width, x[j]); });
    } else {
      detail::repeated<Columns>([&](int j) TAPELESS_INLINED { put_factors<value, Width, n>(c + j, x[j]); });
    }
  }
};

}  // namespace tapeless::bare_kernels
