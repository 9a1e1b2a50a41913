// SPDX-License-Identifier: BSL-1.0
// Which convolutions are computed by Winograd's algorithm, how their tiles are blocked, and a thread's
// workspace.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/cpu/convolution/convolution_geometry.hpp>
#include <tapeless/run/cpu/convolution/packed_channels.hpp>
#include <tapeless/run/cpu/convolution/winograd_transforms.hpp>
#include <tapeless/run/cpu/threads/work_estimates.hpp>

namespace tapeless::cpu_kernels {

/// Whether Winograd's algorithm is faster: it has 16 products of a tile in place of 36, but transforms what
/// they are made of and what they give, and computes whole tiles at the edges. Of kernels of 3 x 3 that are
/// neither strided nor dilated. The bounds are measured.
template <class Number, class Convolution>
constexpr bool suits_winograd(const Convolution& c, convolution_part part) {
  for (int d = 0; d < 2; ++d)
    if (c.kernel[d] != 3 || c.stride[d] != 1 || c.dilation[d] != 1) return false;
  if (packet_size<Number> == 1 || c.groups != 1) return false;
  const bool is_gradient = part == convolution_part::weight;
  const std::int64_t least_channels = 16, least_weights = is_gradient ? 256 : 512, most_weights = 1 << 18,
                     least_tiles = is_gradient ? 32 : 16;
  const auto& results = part == convolution_part::x ? c.image : c.positions;
  const std::int64_t tiles = ((results[0] + 1) / 2) * ((results[1] + 1) / 2), weights = c.in * c.out;
  return std::min(c.in, c.out) >= least_channels && weights >= least_weights && weights <= most_weights &&
         c.batch * tiles >= least_tiles && 20 * tiles <= 9 * results[0] * results[1];
}

/// The tiles of 2 x 2 results of all images, in blocks that stay in the L2 cache. They depend on the extents
/// alone.
class winograd_blocks {
  static constexpr std::int64_t numbers_of_block = 1 << 17;  // transformed; those of the weights come on top
  // All weights, or sums of their gradients, are read for each block: more tiles than that for many channels.
  static constexpr std::int64_t least_tiles = 64, least_tiles_of_gradients = 128;

 public:
  /// The last vector has the channels that are left.
  channel_lanes source, target;

  template <class Number>
  [[gnu::noinline]] static constexpr winograd_blocks of(const convolution_geometry& g,
                                                        convolution_part part) {
    constexpr std::int64_t width = packet_size<Number>;
    const auto lanes = [](std::int64_t channels) {
      return channel_lanes{channels, (channels + width - 1) / width, width};
    };
    winograd_blocks b;
    b.source = lanes(g.source_channels());
    b.target = lanes(g.target_channels());
    b.batch_ = g.batch;
    b.rows_ = whole_parts(g.count[0], winograd_results);
    b.columns_ = whole_parts(g.count[1], winograd_results);
    const std::int64_t of_tile = winograd_products * width * (b.source.vectors + b.target.vectors),
                       channels = std::min(g.source_channels(), g.target_channels()),
                       least = part == convolution_part::weight ? least_tiles_of_gradients : least_tiles,
                       tiles = std::max(numbers_of_block / of_tile, std::min(channels, least));
    const auto even = [](std::int64_t all, std::int64_t most) {
      const std::int64_t at_once = std::clamp<std::int64_t>(most, 1, all);
      return whole_parts(all, whole_parts(all, at_once));
    };
    b.most_.columns = even(b.columns_, tiles);
    b.most_.rows = even(b.rows_, tiles / b.most_.columns);
    b.most_.images = b.most_.rows < b.rows_ || b.most_.columns < b.columns_
                         ? 1
                         : even(b.batch_, tiles / (b.rows_ * b.columns_));
    return b;
  }

  /// The largest block's.
  constexpr const winograd_tiles& most() const { return most_; }
  constexpr std::int64_t count() const {
    return whole_parts(batch_, most_.images) * whole_parts(rows_, most_.rows) *
           whole_parts(columns_, most_.columns);
  }
  /// The same tiles in blocks that are small enough to keep so many threads busy.
  constexpr winograd_blocks split(int threads) const {
    winograd_blocks b = *this;
    while (used_time(b.count(), threads) < 0.9 && (b.most_.images > 1 || b.most_.rows > 1)) {
      std::int64_t& halved = b.most_.images > 1 ? b.most_.images : b.most_.rows;
      halved = (halved + 1) / 2;
    }
    return b;
  }

  /// A block's tiles, and the first of them: in the images' rows and columns of tiles.
  struct place {
    winograd_tiles tiles;
    std::int64_t image, row, column;
  };
  constexpr place operator[](std::int64_t number) const {
    const std::int64_t across = whole_parts(columns_, most_.columns), down = whole_parts(rows_, most_.rows),
                       column = number % across * most_.columns, row = number / across % down * most_.rows,
                       image = number / across / down * most_.images;
    return {{std::min(most_.images, batch_ - image), std::min(most_.rows, rows_ - row),
             std::min(most_.columns, columns_ - column)},
            image,
            row,
            column};
  }

 private:
  std::int64_t batch_ = 0, rows_ = 0, columns_ = 0;
  winograd_tiles most_ = {};

  static constexpr std::int64_t whole_parts(std::int64_t all, std::int64_t part) {
    return (all + part - 1) / part;
  }
};

/// The weight's gradient is added up over batches of blocks: within each, then batch after batch. How many
/// there are depends on the convolution alone, and so do the bits of the gradient.
constexpr int winograd_batches(const winograd_blocks& blocks) {
  constexpr std::int64_t shares = 16;
  return static_cast<int>(
      std::min(blocks.count(), (shares + blocks.source.vectors - 1) / blocks.source.vectors));
}

/// The parts of a thread's workspace. Planes are so far apart that a tile's are not in the same set of a
/// cache.
template <class Number>
class winograd_workspace {
  static constexpr std::int64_t width = packet_size<Number>, line = 64 / std::int64_t{sizeof(Number)};

 public:
  winograd_blocks blocks;
  std::int64_t source_channels, target_channels;                // in whole vectors
  std::int64_t source_product, target_product, weight_product;  // from one product of a tile to the next

  constexpr winograd_workspace(const convolution_geometry& g, convolution_part part)
      : blocks(winograd_blocks::of<Number>(g, part)),
        source_channels(blocks.source.vectors * width),
        target_channels(blocks.target.vectors * width),
        source_product(blocks.most().count() * source_channels + line),
        target_product(blocks.most().count() * target_channels + line),
        weight_product(g.source_channels() * target_channels + line) {
    const winograd_tiles& most = blocks.most();
    const std::int64_t columns = 2 * most.columns + 2;
    batches_ = part == convolution_part::weight ? winograd_batches(blocks) : 1;
    packed_ = most.images * (2 * most.rows + 2) * columns * width + width * width;
    rows_ = width * (columns + width);
  }
  constexpr std::int64_t bytes() const {
    return (batches_ * of_weights() + of_sources() + of_targets() + aligned(packed_) + aligned(rows_)) *
           std::int64_t{sizeof(Number)};
  }
  /// The weights are in `shared`, the same or another such workspace.
  void place(std::byte* own, std::byte* shared) {
    weights = reinterpret_cast<Number*>(shared);
    source = reinterpret_cast<Number*>(own) + batches_ * of_weights();
    target = source + of_sources();
    packed = target + of_targets();
    rows_of_channels = packed + aligned(packed_);
  }
  constexpr int batches() const { return batches_; }
  constexpr std::int64_t of_weights() const { return aligned(winograd_products * weight_product); }

  Number* weights = nullptr;           // transformed; or sums of their gradients, a batch after the other
  Number* source = nullptr;            // transformed
  Number* target = nullptr;            // sums of products; or y's gradients, transformed
  Number* packed = nullptr;            // one vector of channels of a block of images
  Number* rows_of_channels = nullptr;  // rows on the way from one layout to the other

 private:
  std::int64_t packed_ = 0, rows_ = 0;
  int batches_ = 1;

  static constexpr std::int64_t aligned(std::int64_t numbers) { return (numbers + line - 1) / line * line; }
  constexpr std::int64_t of_sources() const { return aligned(winograd_products * source_product); }
  constexpr std::int64_t of_targets() const { return aligned(winograd_products * target_product); }
};

}  // namespace tapeless::cpu_kernels
