// SPDX-License-Identifier: BSL-1.0
// Convolutions by implicit matrix products: teams of threads compute tiles of the result from tiles of the
// operands, which they bring nearer step by step.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/gpu/kernels/implicit_product.hpp>

namespace tapeless::thrust_kernels {

/// The tiles of a convolution's result. Each member of a team computes four neighbouring rows, and four
/// columns that are a quarter of the tile apart, so that neighbours read and write neighbouring elements.
template <class T, convolution_part Part>
class convolution_tiles {
 public:
  static constexpr int members = 256;
  using number = computed_as<element_of<T>>;

 private:
  static constexpr int extent = 64;  // rows and columns of a tile
  static constexpr int step = 16;    // how much of the depth is near at once
  static constexpr int each = 4;
  static constexpr int apart = extent / each;
  static_assert(apart * apart == members);

 public:
  /// What a team shares: a step's operands, left by columns, right by rows.
  struct near {
    number left[step][extent], right[step][extent];
  };
  /// A member's elements of the result.
  struct sums {
    number at[each][each] = {};
  };

  constexpr explicit convolution_tiles(const convolution_arguments& arguments)
      : product_(arguments), down_(tiles_of(product_.rows())), across_(tiles_of(product_.columns())) {}

  constexpr std::int64_t count() const { return std::int64_t{product_.groups()} * down_ * across_; }
  constexpr std::uint32_t steps() const { return (product_.depth() + step - 1) / step; }

  /// Brings a member's share of a step's operands nearer.
  constexpr void fetch(std::uint32_t item, std::uint32_t at, int member, near& n) const {
    const tile t = tile_of(item);
    for (int i = member; i < extent * step; i += members) {
      const int k = i % step, row = i / step;
      n.left[k][row] =
          left(t, t.row + static_cast<std::uint32_t>(row), at * step + static_cast<std::uint32_t>(k));
    }
    for (int i = member; i < extent * step; i += members) {
      const int k = i / extent, column = i % extent;
      n.right[k][column] =
          right(t, at * step + static_cast<std::uint32_t>(k), t.column + static_cast<std::uint32_t>(column));
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
        if (row < product_.rows() && column < product_.columns())
          product_.template store<T>(t.group, row, column, static_cast<T>(s.at[i][j]));
      }
  }

 private:
  struct tile {
    std::uint32_t group, row, column;  // its first ones
  };

  implicit_product<Part> product_;
  std::uint32_t down_, across_;  // so many tiles

  static constexpr std::uint32_t tiles_of(std::uint32_t n) { return (n + extent - 1) / extent; }
  constexpr tile tile_of(std::uint32_t item) const {
    return {item / (down_ * across_), item / across_ % down_ * extent, item % across_ * extent};
  }
  constexpr number left(const tile& t, std::uint32_t row, std::uint32_t k) const {
    if (row >= product_.rows() || k >= product_.depth()) return 0;
    return static_cast<number>(product_.template left<T>(t.group, row, k));
  }
  constexpr number right(const tile& t, std::uint32_t k, std::uint32_t column) const {
    if (column >= product_.columns() || k >= product_.depth()) return 0;
    return static_cast<number>(product_.template right<T>(t.group, k, column));
  }
};

/// Computes a convolution on an executor.
template <class T, convolution_part Part, class Executor>
void convolve_by_tiles(const convolution_arguments& c, Executor& executor) {
  const std::int64_t kernel = c.kernel[0] * c.kernel[1];
  for (const std::int64_t n : {c.batch * c.positions[0] * c.positions[1], c.batch * c.image[0] * c.image[1],
                               c.in * kernel, c.out * kernel})
    if (n > most_items)
      throw_error(
          {"a convolution that sees ", n, " elements at once is more than a launch takes, ", most_items});
  const convolution_tiles<T, Part> tiles(c);
  if (tiles.count() > 0) executor.by_products(tiles.count(), tiles);
}

template <convolution_key Key, class Executor>
constexpr auto kernel_for() {
  return &convolve_by_tiles<storage_of<Key.type>, Key.computes, Executor>;
}

}  // namespace tapeless::thrust_kernels
