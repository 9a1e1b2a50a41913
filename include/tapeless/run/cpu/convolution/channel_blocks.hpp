// SPDX-License-Identifier: BSL-1.0
// How a convolution of many channels is packed and shared: blocks that stay in the cache, a thread's
// workspace, and what each thread computes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/run/common/order_of_convolutions.hpp>
#include <tapeless/run/cpu/convolution/channel_tiles.hpp>
#include <tapeless/run/cpu/convolution/convolution_geometry.hpp>
#include <tapeless/run/cpu/convolution/packed_channels.hpp>
#include <tapeless/run/cpu/convolution/packed_source.hpp>
#include <tapeless/run/cpu/threads/thread_team.hpp>
#include <tapeless/run/cpu/threads/work_estimates.hpp>

namespace tapeless::cpu_kernels {

/// How a convolution, seen from its target, is packed: the channels of a group, and blocks of rows or images.
class channel_blocks {
  static constexpr std::int64_t numbers_of_block = 1
                                                   << 17;  // packed and summed up: they stay in the L2 cache

 public:
  channel_lanes source, target;
  std::int64_t rows_at_once = 1, images_at_once = 1;

  template <class Number>
  static constexpr channel_blocks of(const convolution_geometry& g, convolution_part part) {
    constexpr std::int64_t width = packet_size<Number>;
    channel_blocks b;
    b.source = channel_lanes::of(g.source_channels(), width);
    b.target = channel_lanes::of(g.target_channels(), width);
    const std::int64_t of_target =
        part == convolution_part::weight ? b.target.vectors : std::int64_t{channel_vectors_at_once};
    const packed_source source(g, width);
    const auto numbers = [&](std::int64_t rows) {
      return std::max<std::int64_t>(1, source.numbers(1, rows) + rows * g.count[1] * of_target * width);
    };
    while (b.rows_at_once < g.count[0] && numbers(b.rows_at_once + 1) <= numbers_of_block) ++b.rows_at_once;
    const std::int64_t blocks = (g.count[0] + b.rows_at_once - 1) / b.rows_at_once;
    if (blocks > 0) b.rows_at_once = (g.count[0] + blocks - 1) / blocks;
    if (blocks == 1)
      b.images_at_once = std::clamp<std::int64_t>(numbers_of_block / numbers(g.count[0]), 1,
                                                  std::max<std::int64_t>(1, g.batch));
    return b;
  }
};

/// Whether vectors of channels take fewer products than vectors of positions: both have numbers that are no
/// part of the result. Gradients of weights take about 1.6 times as long for a product over vectors of
/// positions; 1.8 times, where the source is packed in rows, which takes less than to pack vectors.
template <class Number>
constexpr bool suits_channel_lanes(const convolution_geometry& g, convolution_part part) {
  constexpr std::int64_t width = packet_size<Number>;
  const std::int64_t channels = g.target_channels(), images = g.images_at_once(), rows = g.rows_at_once();
  const bool is_gradient = part == convolution_part::weight;
  if (width == 1 || (g.source_channels() < run_length && !packed_source::packs_rows(g))) return false;
  if (is_gradient) {
    const gradient_order order = order_of_gradient(g.arguments, width);
    if (order != gradient_order::in_blocks) return order == gradient_order::over_pixels;
  }
  const auto whole = [](std::int64_t count, std::int64_t of) { return (count + of - 1) / of * of; };
  const std::int64_t of_row = images * rows * channel_lanes::of(channels, width).vectors * width;
  const double of_positions = static_cast<double>(whole(g.positions(images, rows), width)) *
                              static_cast<double>(whole(channels, rows_at_once));
  if (is_gradient) {
    const bool in_rows = packed_source::packs_rows(g);
    const double for_each = in_rows ? packed_source(g, width).numbers_for_each() : 1;
    return for_each * static_cast<double>(of_row * g.count[1]) < (in_rows ? 1.8 : 1.6) * of_positions;
  }
  const auto inside = [&](int d) {  // of a phase of the target
    return (g.target.extent[d] + g.target.stride[d] - 1) / g.target.stride[d];
  };
  return static_cast<double>(of_row * inside(0) * whole(inside(1), run_length)) <
         of_positions * static_cast<double>(g.count[0]);
}

/// The weight's gradient is added up over batches of rows, those of all images one after the other: within
/// each batch, then batch after batch. How many there are depends on the convolution alone, and so do the
/// bits of the gradient: a small one has one. Where the weight has few parts, batches are what threads share.
template <class Number>
constexpr int gradient_batches(const convolution_geometry& g) {
  constexpr std::int64_t width = packet_size<Number>, shares = 32, least_positions = 64;
  if (order_of_gradient(g.arguments, width) == gradient_order::over_pixels) return 1;
  const std::int64_t vectors = channel_lanes::of(g.target_channels(), width).vectors,
                     panels = (vectors + channel_vectors_at_once - 1) / channel_vectors_at_once,
                     parts = g.groups * panels * channel_lanes::of(g.source_channels(), width).vectors,
                     rows = g.batch * g.count[0];
  return static_cast<int>(std::clamp<std::int64_t>(std::min(rows, rows * g.count[1] / least_positions), 1,
                                                   (shares + parts - 1) / std::max<std::int64_t>(parts, 1)));
}
/// The rows of a batch: whole images, where there are enough of them.
constexpr range_part rows_of_batch(const convolution_geometry& g, int batches, std::int64_t batch) {
  return part_of(g.batch * g.count[0], batches, static_cast<int>(batch), g.batch >= batches ? g.count[0] : 1);
}

/// What one thread computes: some of the rows of all images, one after the other, and some vectors of the
/// target's channels. Of the weight's gradient it is some batches of rows, some of the source's vectors as
/// well, and some groups.
struct channel_share {
  range_part rows, vectors, sources, groups;
};

/// The parts of a thread's workspace.
template <class Number>
class channel_workspace {
  static constexpr std::int64_t width = packet_size<Number>;

 public:
  constexpr channel_workspace(const convolution_geometry& g, convolution_part part)
      : blocks_(channel_blocks::of<Number>(g, part)) {
    const std::int64_t rows = blocks_.images_at_once * blocks_.rows_at_once, slack = width * width,
                       columns = std::max(g.row_length(), g.count[1]) + width;
    const packed_source packed(g, width);
    source_ = packed.numbers(blocks_.images_at_once, blocks_.rows_at_once) + slack;
    channels_ = width * std::max(columns, blocks_.source.used * g.window() + width);
    if (part == convolution_part::weight) {
      target_ = rows * g.count[1] * blocks_.target.vectors * width + slack;
      of_parts_ = (packed.runs(1) + runs_at_once) * run_length * width;
      of_batch_ = blocks_.target.vectors * blocks_.source.vectors * of_parts_;
      batches_ = gradient_batches<Number>(g);
      sums_ = g.groups * batches_ * of_batch_;
      offsets_ = rows;
    } else {
      target_ = blocks_.source.vectors * blocks_.source.used * g.window() * blocks_.target.vectors * width;
      sums_ = (rows * runs_of(g.count[1]) + runs_at_once) * run_length * channel_vectors_at_once * width +
              slack * channel_vectors_at_once;
      offsets_ = std::max<std::int64_t>(blocks_.source.vectors * blocks_.source.used, 2) * g.window();
    }
  }
  constexpr std::int64_t bytes() const {
    return aligned(source_) + aligned(target_) + aligned(sums_) + aligned(channels_) +
           offsets_ * std::int64_t{sizeof(std::int64_t)};
  }
  void place(std::byte* at) {
    source = next(at, source_);
    target = next(at, target_);
    sums = next(at, sums_);
    channels = next(at, channels_);
    offsets = reinterpret_cast<std::int64_t*>(at);
  }
  /// Of the weight's gradient in a group: the sums of a batch of rows, those of a share of the weight.
  Number* sums_of(const channel_share& share, std::int64_t group, std::int64_t batch) const {
    return sums + (group * batches_ + batch) * of_batch_ +
           (share.vectors.begin * blocks_.source.vectors + share.sources.begin * share.vectors.size) *
               of_parts_;
  }
  constexpr int batches() const { return batches_; }
  constexpr const channel_blocks& blocks() const { return blocks_; }

  Number* source = nullptr;    // packed
  Number* target = nullptr;    // the weights packed; or y's gradients
  Number* sums = nullptr;      // of some vectors of channels at all pixels; or of the weight
  Number* channels = nullptr;  // rows on the way from one layout to the other
  std::int64_t* offsets = nullptr;

 private:
  channel_blocks blocks_;
  std::int64_t source_, target_, sums_, channels_, offsets_, of_parts_ = 0, of_batch_ = 0;
  int batches_ = 1;

  static constexpr std::int64_t aligned(std::int64_t numbers) {
    return tapeless::detail::aligned(numbers * std::int64_t{sizeof(Number)});
  }
  static Number* next(std::byte*& at, std::int64_t numbers) {
    auto* const here = reinterpret_cast<Number*>(at);
    at += aligned(numbers);
    return here;
  }
};

/// How a team shares such a convolution: by rows, or by vectors of channels; its weight's gradient by batches
/// of rows, then by what it has. What is added up is never split otherwise.
class channel_split {
 public:
  template <class Number>
  static channel_split of(const convolution_geometry& g, convolution_part part, int threads) {
    const channel_blocks blocks = channel_blocks::of<Number>(g, part);
    const bool is_gradient = part == convolution_part::weight;
    channel_split s(is_gradient ? gradient_batches<Number>(g) : g.batch * g.count[0], blocks.target.vectors,
                    blocks.source.vectors, g.groups);
    const auto most = [](std::int64_t items, int parts) {
      return static_cast<int>(std::clamp<std::int64_t>(items, 1, std::max(parts, 1)));
    };
    const std::int64_t panels = (s.vectors_ + channel_vectors_at_once - 1) / channel_vectors_at_once;
    if (is_gradient || used_time(s.rows_, threads) >= 0.9 * used_time(panels, threads)) {
      s.by_rows_ = most(s.rows_, threads);
      if (!is_gradient) return s;
      s.by_groups_ = most(s.groups_, threads / s.by_rows_);
    }
    const int others = s.by_rows_ * s.by_groups_;
    s.by_vectors_ = most(panels, threads / others);
    if (is_gradient) s.by_sources_ = most(s.sources_, threads / others / s.by_vectors_);
    if (2 * s.parts() <= threads) s.by_vectors_ = most(s.vectors_, threads / others / s.by_sources_);
    return s;
  }
  /// The same for what is done with the sums of all batches.
  channel_split of_sums() const {
    channel_split s = *this;
    s.by_rows_ = 1;
    return s;
  }
  int parts() const { return by_rows_ * by_vectors_ * by_sources_ * by_groups_; }
  channel_share operator[](int part) const {
    const int of_weight = part / by_rows_, of_group = of_weight / by_groups_;
    return {part_of(rows_, by_rows_, part % by_rows_, 1),
            part_of(vectors_, by_vectors_, of_group % by_vectors_,
                    by_vectors_ * channel_vectors_at_once <= vectors_ ? channel_vectors_at_once : 1),
            part_of(sources_, by_sources_, of_group / by_vectors_, 1),
            part_of(groups_, by_groups_, of_weight % by_groups_, 1)};
  }

 private:
  std::int64_t rows_, vectors_, sources_, groups_;
  int by_rows_ = 1, by_vectors_ = 1, by_sources_ = 1, by_groups_ = 1;

  channel_split(std::int64_t rows, std::int64_t vectors, std::int64_t sources, std::int64_t groups)
      : rows_(rows), vectors_(vectors), sources_(sources), groups_(groups) {}
};

}  // namespace tapeless::cpu_kernels
