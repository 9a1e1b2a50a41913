// SPDX-License-Identifier: BSL-1.0
// Convolutions by kernels of 3 x 3, and their transposes, by Winograd's algorithm: see
// winograd_transforms.hpp. Each of the 16 products of a block of tiles is a matrix product over channels, or
// for the weight's gradient over tiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/convolution/winograd_blocks.hpp>
#include <tapeless/run/cpu/product/product_tiles.hpp>
#include <tapeless/run/cpu/threads/thread_team.hpp>

namespace tapeless::cpu_kernels {

/// One thread's part of such a convolution. Both directions share its code.
template <class T>
class winograd_kernel {
  using number = computed_as<element_of<T>>;
  static constexpr std::int64_t width = packet_size<number>;

 public:
  /// Weights, or the sums of their gradients, are in `shared`, a workspace of the team.
  [[gnu::noinline]] winograd_kernel(const convolution_arguments& c, const convolution_geometry& g,
                                    std::byte* own, std::byte* shared)
      : g_(g),
        room_(g, c.computes),
        to_x_(c.computes == convolution_part::x),
        source_(reinterpret_cast<const T*>(to_x_ ? c.y : c.x)),
        weight_(reinterpret_cast<T*>(c.weight)),
        target_(reinterpret_cast<T*>(to_x_ ? c.x : c.y)) {
    room_.place(own, shared);
  }

  /// Transforms the weights of some of the target's vectors.
  void transform_weights(const range_part& vectors) {
    for (std::int64_t v = vectors.begin; v < vectors.begin + vectors.size; ++v)
      for (std::int64_t c = 0; c < g_.source_channels(); ++c) {
        number kernels[9 * width] = {};
        for (std::int64_t k = 0; k < room_.blocks.target.used_of(v); ++k) {
          const T* const from = weight_at(v * width + k, c);
          for (int e = 0; e < 9; ++e) kernels[e * width + k] = static_cast<number>(from[e]);
        }
        transform_kernels(
            [&](int i, int j) { return load(kernels + (to_x_ ? 8 - 3 * i - j : 3 * i + j) * width); },
            room_.weights + place_in_panels(v, c, g_.source_channels()), room_.weight_product);
      }
  }

  void sum_blocks(const winograd_blocks& blocks, const range_part& share) {
    for (std::int64_t b = share.begin; b < share.begin + share.size; ++b) {
      const winograd_blocks::place at = blocks[b];
      transform_sources(at, {0, room_.blocks.source.vectors});
      for (std::int64_t e = 0; e < winograd_products; ++e)
        for_each_panel([&](std::int64_t column, std::int64_t columns) {
          multiply({.a = room_.source + e * room_.source_product,
                    .a_row = room_.source_channels,
                    .a_column = 1,
                    .b = room_.weights + e * room_.weight_product + column * g_.source_channels(),
                    .b_row = columns,
                    .c = room_.target + e * room_.target_product + column,
                    .c_row = room_.target_channels,
                    .c_column = 1,
                    .depth = g_.source_channels(),
                    .columns = columns,
                    .adds = false},
                   at.tiles.count());
        });
      const packed_planes planes = planes_of(at, g_.first[0], g_.first[1], 0);
      for (std::int64_t v = 0; v < room_.blocks.target.vectors; ++v) {
        sum_result_tiles(at.tiles, room_.target + v * width, room_.target_product, room_.target_channels,
                         room_.packed);
        unpack_channels(g_.target, 0, 0, planes, planes.rows, planes.columns, room_.packed, width,
                        planes.columns * width, room_.blocks.target.used_of(v), room_.rows_of_channels,
                        target_of(at.image, v));
      }
    }
  }

  /// Adds up the gradients of some of the source's vectors in all blocks of a batch.
  void add_gradients(std::int64_t batch, const range_part& sources) {
    number* const sums = room_.weights + batch * room_.of_weights();
    const range_part share = part_of(room_.blocks.count(), room_.batches(), static_cast<int>(batch), 1);
    const std::int64_t channel = sources.begin * width,
                       channels = std::min(sources.size * width, g_.source_channels() - channel);
    for (std::int64_t b = 0; b < share.size; ++b) {
      const winograd_blocks::place at = room_.blocks[share.begin + b];
      transform_sources(at, sources);
      transform_gradients(at);
      for (std::int64_t e = 0; e < winograd_products; ++e)
        for_each_panel([&](std::int64_t column, std::int64_t columns) {
          multiply({.a = room_.source + e * room_.source_product + channel,
                    .a_row = 1,
                    .a_column = room_.source_channels,
                    .b = room_.target + e * room_.target_product + column * at.tiles.count(),
                    .b_row = columns,
                    .c = sums + e * room_.weight_product + channel * room_.target_channels + column,
                    .c_row = room_.target_channels,
                    .c_column = 1,
                    .depth = at.tiles.count(),
                    .columns = columns,
                    .adds = b > 0},
                   channels);
        });
    }
  }

  /// Adds the sums of all batches, one after the other, and transforms them: the gradients of the weights of
  /// some of the source's vectors.
  void finish(const range_part& sources) {
    const std::int64_t begin = sources.begin * width,
                       end = std::min(begin + sources.size * width, g_.source_channels());
    for (std::int64_t c = begin; c < end; ++c)
      for (std::int64_t v = 0; v < room_.blocks.target.vectors; ++v) {
        number kernels[9 * width];
        const number* const from = room_.weights + c * room_.target_channels + v * width;
        sum_kernels<number>(
            [&](int e) {
              const number* sums = from + e * room_.weight_product;
              wide<number> sum = load(sums);
              for (int batch = 1; batch < room_.batches(); ++batch)
                sum = sum + load(sums += room_.of_weights());
              return sum;
            },
            [&](int i, int j, wide<number> gradients) { store(kernels + (3 * i + j) * width, gradients); });
        for (std::int64_t k = 0; k < room_.blocks.target.used_of(v); ++k) {
          T* const to = weight_at(v * width + k, c);
          for (int e = 0; e < 9; ++e) to[e] = static_cast<T>(kernels[e * width + k]);
        }
      }
  }

 private:
  const convolution_geometry& g_;
  winograd_workspace<number> room_;
  bool to_x_;
  const T* source_;
  T* weight_;
  T* target_;

  T* target_of(std::int64_t image, std::int64_t vector) const {
    return target_ + (image * g_.target.channels + vector * width) * g_.target.elements();
  }
  // The weight is [out, in, 3, 3]. Of a target's and a source's channel:
  T* weight_at(std::int64_t target, std::int64_t source) const {
    return weight_ +
           9 * (to_x_ ? source * g_.target_channels() + target : target * g_.source_channels() + source);
  }
  static packed_planes planes_of(const winograd_blocks::place& at, std::int64_t first_row,
                                 std::int64_t first_column, std::int64_t more) {
    return {at.tiles.images, first_row + winograd_results * at.row, winograd_results * at.tiles.rows + more,
            first_column + winograd_results * at.column, winograd_results * at.tiles.columns + more};
  }

  /// f(first column, columns) of the panels that the target's channels are multiplied in.
  template <class F>
  void for_each_panel(F f) const {
    for (std::int64_t column = 0, columns; column < room_.target_channels; column += columns)
      f(column, columns = panel_columns<number>(room_.target_channels - column));
  }
  // Where a vector of a row is in panels with so many rows each.
  std::int64_t place_in_panels(std::int64_t vector, std::int64_t row, std::int64_t rows) const {
    std::int64_t place = 0;
    for_each_panel([&](std::int64_t column, std::int64_t columns) {
      const std::int64_t inside = vector * width - column;
      if (inside >= 0 && inside < columns) place = column * rows + row * columns + inside;
    });
    return place;
  }
  static void multiply(product_tile<number> t, std::int64_t rows) {
    for (std::int64_t row = 0; row < rows;) {
      const int count = rows_of_tile(rows - row);
      run_tiles(t, count);
      t.a += count * t.a_row;
      t.c += count * t.c_row;
      row += count;
    }
  }

  void transform_sources(const winograd_blocks::place& at, const range_part& vectors) {
    const packed_planes planes =
        planes_of(at, g_.first[0], g_.first[1], winograd_elements - winograd_results);
    const T* const from = source_ + at.image * g_.source.channels * g_.source.elements();
    for (std::int64_t v = vectors.begin; v < vectors.begin + vectors.size; ++v) {
      pack_channels(g_.source, room_.blocks.source, v, v + 1, planes, from, room_.rows_of_channels,
                    room_.packed);
      transform_source_tiles(at.tiles, room_.packed, room_.source + v * width, room_.source_product,
                             room_.source_channels);
    }
  }
  void transform_gradients(const winograd_blocks::place& at) {
    const packed_planes planes = planes_of(at, 0, 0, 0);
    const T* const from = target_of(at.image, 0);
    for_each_panel([&](std::int64_t column, std::int64_t columns) {
      for (std::int64_t v = column / width; v < (column + columns) / width; ++v) {
        pack_channels(g_.target, room_.blocks.target, v, v + 1, planes, from, room_.rows_of_channels,
                      room_.packed);
        transform_result_tiles(at.tiles, room_.packed,
                               room_.target + column * at.tiles.count() + (v * width - column),
                               room_.target_product, columns);
      }
    });
  }
};

namespace detail {

constexpr int most_parts(std::int64_t items, int threads) {
  return static_cast<int>(std::clamp<std::int64_t>(items, 1, std::max(threads, 1)));
}

template <class T>
void sum_by_winograd(const convolution_arguments& c, const thread_team& team, int threads) {
  const convolution_geometry g(c);
  const auto kernel_of = [&](int part) {
    return winograd_kernel<T>(c, g, team.workspace(part), team.workspace(0));
  };
  const winograd_blocks blocks = winograd_blocks::of<computed_as<element_of<T>>>(g, c.computes);
  const int parts = most_parts(blocks.target.vectors, threads);
  team.run(parts, [&](int part) {
    kernel_of(part).transform_weights(part_of(blocks.target.vectors, parts, part, 1));
  });
  const winograd_blocks shared = blocks.split(threads);
  const int shares = most_parts(shared.count(), threads);
  team.run(shares,
           [&](int part) { kernel_of(part).sum_blocks(shared, part_of(shared.count(), shares, part, 1)); });
}

template <class T>
void add_gradients_by_winograd(const convolution_arguments& c, const thread_team& team, int threads) {
  const convolution_geometry g(c);
  const auto kernel_of = [&](int part) {
    return winograd_kernel<T>(c, g, team.workspace(part), team.workspace(0));
  };
  const winograd_blocks blocks = winograd_blocks::of<computed_as<element_of<T>>>(g, c.computes);
  const int batches = winograd_batches(blocks), by_batches = most_parts(batches, threads),
            by_sources = most_parts(blocks.source.vectors, threads / by_batches);
  team.run(by_batches * by_sources, [&](int part) {
    const range_part share = part_of(batches, by_batches, part % by_batches, 1),
                     sources = part_of(blocks.source.vectors, by_sources, part / by_batches, 1);
    winograd_kernel<T> kernel = kernel_of(part);
    for (std::int64_t batch = 0; batch < share.size; ++batch)
      kernel.add_gradients(share.begin + batch, sources);
  });
  const int parts = most_parts(blocks.source.vectors, threads);
  team.run(parts, [&](int part) { kernel_of(part).finish(part_of(blocks.source.vectors, parts, part, 1)); });
}

}  // namespace detail

/// Splits such a convolution over the team: by blocks of tiles; its weight's gradient by batches of them, and
/// by the source's channels.
template <class T, convolution_part Part>
void convolve_by_winograd(const convolution_arguments& c, const thread_team& team, int threads) {
  if constexpr (Part == convolution_part::weight) {
    detail::add_gradients_by_winograd<T>(c, team, threads);
  } else {
    detail::sum_by_winograd<T>(c, team, threads);
  }
}

}  // namespace tapeless::cpu_kernels
