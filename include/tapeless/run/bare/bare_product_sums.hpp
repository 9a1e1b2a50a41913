// SPDX-License-Identifier: BSL-1.0
// The sums of a batch of matrix products with constant extents and strides: which there are for an element,
// and in which order they take terms. In an arithmetic of its own the order depends on extents and strides
// alone, so that bits are the same with vectors of any width and without:
// - Where rows of a and columns of b are contiguous and long, and rows or columns are few, each element of c
//   is a sum in parts: see bare_product_in_parts.hpp.
// - Else term p goes to sum p mod 1, 2 or 4, the more the fewer elements c has, and these are combined by
//   halves.
// As in tables, it is that of order_of_products.hpp.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_factors.hpp>
#include <tapeless/run/bare/bare_shape.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/order_of_products.hpp>

namespace tapeless::bare_kernels {

/// c = a b, [m, k] [k, n] -> [m, n], for each member of the batch. IsPacked: b is what a loop packs, see
/// is_packed_for_row.
template <auto Shape, class Arithmetic, bool IsPacked>
struct bare_product_sums {
  static constexpr auto product = planned_of<planned_product, Shape>();
  static constexpr auto m = static_cast<std::ptrdiff_t>(product.m),
                        n = static_cast<std::ptrdiff_t>(product.n),
                        k = static_cast<std::ptrdiff_t>(product.k);
  using stored = storage_of<product.type>;
  using value = computed_as<product.type>;

  static constexpr int row = product.batch_rank, column = row + 1;
  static constexpr auto stride(const access& a, int axis) {
    return static_cast<std::ptrdiff_t>(a.strides[axis]);
  }
  static constexpr std::ptrdiff_t a_row = stride(product.a, row), a_column = stride(product.a, column),
                                  b_row = stride(product.b, row), b_column = stride(product.b, column);

  // The order of sums.
  static constexpr bool as_tables = Arithmetic::sums_as_tables;
  static constexpr bool has_columns = b_row == 1 && (b_column != 1 || n == 1);  // contiguous ones, in b
  static constexpr std::ptrdiff_t most_terms_packed = 512;  // which is 32 KiB of the stack at most
  static constexpr product_order order = [] {
    using enum product_order::kind;
    if constexpr (as_tables) {
      if (!std::is_same_v<stored, value>) return product_order{};
      return order_of_product({m, n, k, a_row, a_column, b_row, b_column}, Arithmetic::template width<value>,
                              IsPacked);
    } else {
      if (a_column == 1 && has_columns && k >= 8 && (m < 4 || n <= 4 || k > most_terms_packed))
        return product_order{parts, k >= 16 ? 16 : 8};
      return product_order{chains, k <= 8 || m * n > 64 ? 1 : m * n > 16 ? 2 : 4};
    }
  }();
  static constexpr bool in_parts = order.is == product_order::kind::parts;
  // Sums that have terms.
  static constexpr int sums = order.sums < k || k < 1 ? order.sums : static_cast<int>(k);
  static constexpr auto first_of_sum = first_term<(as_tables && sums > 1)>;
  // Terms of a block, of which there may be several, and of the last one.
  static constexpr std::ptrdiff_t depth = order.is == product_order::kind::blocks ? depth_of_block(k) : k,
                                  blocks = depth < 1 ? 1 : (k + depth - 1) / depth,
                                  last_depth = k - (blocks - 1) * depth;
  static_assert(blocks == 1 || sums == 1);

  // Vectors.
  static constexpr int widest = [] {
    if constexpr (std::is_floating_point_v<value>) return vector_width<value>;
    return 1;
  }();
  static constexpr int narrower(int width) { return width <= least_vector_width<value> ? 1 : width / 2; }
  static constexpr int width_for(std::ptrdiff_t count) {
    int width = widest;
    while (width > 1 && width > count) width = narrower(width);
    return width;
  }
  template <int Width>
  using factor = factors<value, Width>;

  // So many vectors are held at once, of the 16 or 32 that machines have.
  static constexpr int held_at_once = vector_bytes == 64 ? 16 : 8;
  // So many sums a tile has in these registers, beside a row of b and a number of a: with 8 of them, those of
  // one row would wait for those of the row before.
  static constexpr int sums_of_tile = vector_bytes == 64 ? 16 : 12;

  /// Calls f with the first row and the number of rows of tiles of at most so many: as few as can be, of
  /// about the same rows.
  template <std::ptrdiff_t Most, class F>
  [[gnu::always_inline]] static void for_each_tile_of_rows(const F& f) {
    constexpr std::ptrdiff_t tiles = (m + Most - 1) / Most, rows = m / tiles, larger = m % tiles;
    for (std::ptrdiff_t i = 0; i < larger; ++i)
      f(i * (rows + 1), std::integral_constant<int, static_cast<int>(rows + 1)>{});
    for (std::ptrdiff_t i = larger * (rows + 1); i < m; i += rows)
      f(i, std::integral_constant<int, static_cast<int>(rows)>{});
  }

  /// One element of c, by itself or one in each lane: the sums of its terms.
  template <int Width>
  struct partial_sums {
    factor<Width> sum[sums];

    [[gnu::always_inline]] factor<Width> total() const {
      if constexpr (sums == 4) return (sum[0] + sum[2]) + (sum[1] + sum[3]);
      if constexpr (sums == 3) return (sum[0] + sum[2]) + sum[1];
      if constexpr (sums == 2) return sum[0] + sum[1];
      return sum[0];
    }
  };
  /// Calls add(p, number of its sum, whether it is its first term) for all terms p of a block.
  template <std::ptrdiff_t Terms, class F>
  [[gnu::always_inline]] static void for_each_term(const F& add) {
    constexpr std::ptrdiff_t whole = Terms / sums * sums;
    detail::repeated<sums>([&](int sum) TAPELESS_INLINED { add(sum, sum, first_of_sum); });
    for (std::ptrdiff_t p = sums; p < whole; p += sums)
      detail::repeated<sums>([&](int sum) TAPELESS_INLINED { add(p + sum, sum, next_term); });
    detail::repeated<static_cast<int>(Terms - whole)>(
        [&](int sum) TAPELESS_INLINED { add(whole + sum, sum, next_term); });
  }
  /// Calls add(first term, constant number of terms, whether it is the first one) for all blocks.
  template <class F>
  [[gnu::always_inline]] static void for_each_block(const F& add) {
    if constexpr (blocks == 1) {
      add(std::ptrdiff_t{0}, std::integral_constant<std::ptrdiff_t, k>{}, std::true_type{});
    } else {
      add(std::ptrdiff_t{0}, std::integral_constant<std::ptrdiff_t, depth>{}, std::true_type{});
      for (std::ptrdiff_t block = 1; block + 1 < blocks; ++block)
        add(block * depth, std::integral_constant<std::ptrdiff_t, depth>{}, std::false_type{});
      add((blocks - 1) * depth, std::integral_constant<std::ptrdiff_t, last_depth>{}, std::false_type{});
    }
  }
  /// Adds the sums of a block to those of the blocks before it.
  template <int Count, class Sums, class Held, class First>
  [[gnu::always_inline]] static void add_block(const Sums* sums_of_block, Held* to, First) {
    detail::repeated<Count>([&](int i) TAPELESS_INLINED {
      to[i] = First::value ? sums_of_block[i].total() : to[i] + sums_of_block[i].total();
    });
  }
};

}  // namespace tapeless::bare_kernels
