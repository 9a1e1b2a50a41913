// SPDX-License-Identifier: BSL-1.0
// Convolutions by implicit matrix products: teams of threads compute tiles of the result from tiles of the
// operands, which they bring nearer step by step. Where the tiles are few, several teams share the depth of
// each: their sums wait in lent memory, and are added up in an order that is the same in every run.
#pragma once

#include <algorithm>

#include <tapeless/error.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/gpu/kernels/implicit_product.hpp>

namespace tapeless::thrust_kernels {

inline constexpr int large_tile = 64, small_tile = 32;  // rows and columns

/// So many teams have registers on one multiprocessor.
constexpr int teams_at_once(int extent) { return extent == large_tile ? 4 : 8; }

/// How a product is cut: its results into square tiles, and the depth into parts of as many steps each.
struct product_cut {
  static constexpr int step = 16;              // how much of the depth is near at once
  static constexpr int shortest = 8;           // a part has at least so many steps
  static constexpr int multiprocessors = 132;  // which are kept busy, those of an H100

  std::uint32_t down, across, parts = 1, steps;
  std::int64_t tiles, results;

  template <convolution_part Part>
  constexpr product_cut(const implicit_product<Part>& p, int extent)
      : down(pieces(p.rows(), extent)),
        across(pieces(p.columns(), extent)),
        steps(pieces(p.depth(), step)),
        tiles(std::int64_t{p.groups()} * down * across),
        results(std::int64_t{p.groups()} * p.rows() * p.columns()) {
    if (tiles == 0) return;
    const std::int64_t teams = multiprocessors * teams_at_once(extent);
    const auto most = static_cast<std::uint32_t>(std::min<std::int64_t>(teams / tiles, steps / shortest));
    if (most < 2) return;
    const std::uint32_t all = steps;
    steps = pieces(all, static_cast<int>(most));
    parts = pieces(all, static_cast<int>(steps));
  }

  /// Sums that wait to be added up: no more than the teams have, 16.5 MiB of double.
  constexpr std::int64_t waiting() const { return parts > 1 ? parts * results : 0; }

 private:
  static constexpr std::uint32_t pieces(std::uint32_t n, int of) {
    return (n + static_cast<std::uint32_t>(of) - 1) / static_cast<std::uint32_t>(of);
  }
};

/// Small tiles bring each operand nearer twice as often, which pays if they cover half as much or less. That
/// is seldom so but for the weight's gradient, which alone is compiled for both.
template <convolution_part Part>
constexpr int tile_extent(const implicit_product<Part>& p) {
  if constexpr (Part != convolution_part::weight) return large_tile;
  return product_cut(p, small_tile).tiles <= 2 * product_cut(p, large_tile).tiles ? small_tile : large_tile;
}

/// The tiles of a convolution's result, of the first part of the depth, then of the next ones. Each member of
/// a team computes four neighbouring rows, and four columns that are a quarter of the tile apart, so that
/// neighbours read and write neighbouring elements.
template <class T, convolution_part Part, int Extent>
class convolution_tiles {
  static constexpr int step = product_cut::step;
  static constexpr int each = 4;
  static constexpr int apart = Extent / each;

 public:
  static constexpr int members = apart * apart;
  static constexpr int at_once = teams_at_once(Extent);
  using number = computed_as<element_of<T>>;

  /// What a team shares: a step's operands, left by columns, right by rows. Neighbours in the depth are
  /// written at once: the gap keeps them in different banks.
  struct near {
    static constexpr int gap = 4;
    alignas(16) number left[step][Extent + gap];
    alignas(16) number right[step][Extent + gap];
  };
  /// A member's elements of the result.
  struct sums {
    number at[each][each] = {};
  };

  /// Precondition: `partials` has room for the sums that wait.
  constexpr convolution_tiles(const implicit_product<Part>& product, const product_cut& cut, number* partials)
      : product_(product), cut_(cut), partials_(partials) {}

  constexpr std::int64_t count() const { return cut_.tiles * cut_.parts; }
  constexpr std::uint32_t steps() const { return cut_.steps; }

  /// Brings a member's share of a step's operands nearer: zeros from where the depth ends.
  constexpr void fetch(std::uint32_t item, std::uint32_t at, int member, near& n) const {
    const tile t = tile_of(item);
    const std::uint32_t first = (t.part * cut_.steps + at) * step;
    // Neighbours read neighbours: in the depth, but of an image seen by columns, in these.
    const int near_k = member % step, others = members / step;
    const std::uint32_t k = first + static_cast<std::uint32_t>(near_k);
    const plane_element of_k = product_.of_depth(k);
    for (int i = 0; i < Extent / others; ++i) {
      const int row = member / step + i * others;
      n.left[near_k][row] = left(t, t.row + static_cast<std::uint32_t>(row), k, of_k);
    }
    if constexpr (Part == convolution_part::weight) {
      for (int i = 0; i < Extent / others; ++i) {
        const int near_column = member / step + i * others;
        const std::uint32_t column = t.column + static_cast<std::uint32_t>(near_column);
        n.right[near_k][near_column] = right(t, k, of_k, column, product_.of_columns(column));
      }
    } else {
      const int near_column = member % Extent, rows = members / Extent;
      const std::uint32_t column = t.column + static_cast<std::uint32_t>(near_column);
      const plane_element of_column = product_.of_columns(column);
      for (int i = 0; i < step / rows; ++i) {
        const int row = member / Extent + i * rows;
        const std::uint32_t at_k = first + static_cast<std::uint32_t>(row);
        n.right[row][near_column] = right(t, at_k, product_.of_depth(at_k), column, of_column);
      }
    }
  }

  /// Adds what is near to a member's sums.
  static constexpr void multiply(int member, const near& n, sums& s) {
    const int row = member / apart * each, column = member % apart;
    for (int k = 0; k < step; ++k)
      for (int i = 0; i < each; ++i)
        for (int j = 0; j < each; ++j) s.at[i][j] += n.left[k][row + i] * n.right[k][column + j * apart];
  }

  constexpr void finish(std::uint32_t item, int member, const sums& s) const {
    const tile t = tile_of(item);
    for (int i = 0; i < each; ++i)
      for (int j = 0; j < each; ++j) {
        const std::uint32_t row = t.row + static_cast<std::uint32_t>(member / apart * each + i);
        const std::uint32_t column = t.column + static_cast<std::uint32_t>(member % apart + j * apart);
        if (row >= product_.rows() || column >= product_.columns()) continue;
        if (cut_.parts == 1)
          product_.template store<T>(t.group, row, column, static_cast<T>(s.at[i][j]));
        else
          partials_[t.part * cut_.results +
                    (std::int64_t{t.group} * product_.rows() + row) * product_.columns() + column] =
              s.at[i][j];
      }
  }

 private:
  struct tile {
    std::uint32_t part, group, row, column;  // the last two: its first ones
  };

  implicit_product<Part> product_;
  product_cut cut_;
  number* partials_;

  constexpr tile tile_of(std::uint32_t item) const {
    const auto tiles = static_cast<std::uint32_t>(cut_.tiles);
    const std::uint32_t part = item / tiles, within = item % tiles;
    return {part, within / (cut_.down * cut_.across), within / cut_.across % cut_.down * Extent,
            within % cut_.across * Extent};
  }
  constexpr number left(const tile& t, std::uint32_t row, std::uint32_t k, const plane_element& of_k) const {
    if (row >= product_.rows() || k >= product_.depth()) return 0;
    return static_cast<number>(product_.template left<T>(t.group, row, of_k));
  }
  constexpr number right(const tile& t, std::uint32_t k, const plane_element& of_k, std::uint32_t column,
                         const plane_element& of_column) const {
    if (column >= product_.columns() || k >= product_.depth()) return 0;
    return static_cast<number>(product_.template right<T>(t.group, of_k, of_column));
  }
};

/// Adds up the parts' sums of each result.
template <class T, convolution_part Part>
struct sum_of_parts {
  using number = computed_as<element_of<T>>;
  struct partial {
    number sum;
    constexpr void begin() { sum = 0; }
    constexpr void combine(const partial& other) { sum += other.sum; }
  };

  implicit_product<Part> product;
  const number* partials;  // by part, group, row and column
  std::uint32_t parts;
  std::int64_t results;

  /// Every `shares`-th part, from the one number `share` on.
  constexpr void add(std::uint32_t item, int share, int shares, partial& p) const {
    for (auto part = static_cast<std::uint32_t>(share); part < parts;
         part += static_cast<std::uint32_t>(shares))
      p.sum += partials[part * results + item];
  }
  constexpr void finish(std::uint32_t item, const partial& p) const {
    const std::uint32_t row = item / product.columns();
    product.template store<T>(row / product.rows(), row % product.rows(), item % product.columns(),
                              static_cast<T>(p.sum));
  }
};

namespace detail {

template <class T, int Extent, convolution_part Part, class Executor>
void convolve_by_tiles_of(const implicit_product<Part>& product, Executor& executor) {
  using tiles_of_product = convolution_tiles<T, Part, Extent>;
  const product_cut cut(product, Extent);
  auto* const partials = reinterpret_cast<typename tiles_of_product::number*>(executor.lent_memory());
  const tiles_of_product tiles(product, cut, cut.parts > 1 ? partials : nullptr);
  if (tiles.count() == 0) return;
  executor.by_products(tiles.count(), tiles);
  if (cut.parts == 1) return;
  // Many parts have few results, which are shared out among more teams.
  const int neighbours = cut.parts > 256 ? 8 : 32;
  executor.by_tiles(cut.results, neighbours, 1,
                    sum_of_parts<T, Part>{product, partials, cut.parts, cut.results});
}

template <convolution_part Part>
constexpr std::int64_t waiting_sums(const convolution_arguments& c) {
  const implicit_product<Part> product(c);
  return product_cut(product, tile_extent(product)).waiting();
}

}  // namespace detail

/// What a convolution takes of the memory that the executor lends.
inline std::int64_t workspace_bytes_of(const planned_convolution& planned, const convolution_arguments& c) {
  const std::int64_t size = planned.type == element::f64 ? 8 : 4;  // of what it adds up in
  switch (planned.computes) {
    case convolution_part::x:
      return size * detail::waiting_sums<convolution_part::x>(c);
    case convolution_part::weight:
      return size * detail::waiting_sums<convolution_part::weight>(c);
    case convolution_part::y:
      break;
  }
  return size * detail::waiting_sums<convolution_part::y>(c);
}

/// Computes a convolution on an executor.
template <class T, convolution_part Part, class Executor>
void convolve_by_tiles(const convolution_arguments& c, Executor& executor) {
  const std::int64_t kernel = c.kernel[0] * c.kernel[1];
  for (const std::int64_t n :
       {c.batch * c.positions[0] * c.positions[1], c.batch * c.image[0] * c.image[1], c.in * kernel,
        c.out * kernel, c.image[0] + 2 * c.padding[0], c.image[1] + 2 * c.padding[1]})
    if (n > most_items)
      throw_error(
          {"a convolution that sees ", n, " elements at once is more than a launch takes, ", most_items});
  const implicit_product<Part> product(c);
  if constexpr (Part == convolution_part::weight)
    if (tile_extent(product) == small_tile)
      return detail::convolve_by_tiles_of<T, small_tile>(product, executor);
  detail::convolve_by_tiles_of<T, large_tile>(product, executor);
}

template <convolution_key Key, class Executor>
constexpr auto kernel_for() {
  return &convolve_by_tiles<storage_of<Key.type>, Key.computes, Executor>;
}

}  // namespace tapeless::thrust_kernels
