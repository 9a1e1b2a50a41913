// SPDX-License-Identifier: BSL-1.0
// Gradients of the weights of convolutions: vectors go over y's channels, and sums over pixels are in
// registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/cpu/convolution/channel_kernel.hpp>
#include <tapeless/run/cpu/convolution/channel_tiles.hpp>
#include <tapeless/run/cpu/convolution/packed_channels.hpp>
#include <tapeless/run/cpu/convolution/packed_source.hpp>

namespace tapeless::cpu_kernels {

/// One thread's share of such a gradient: sums of some batches of rows, or of what there is of all batches.
template <class T>
class channel_gradients : channel_kernel<T, convolution_part::weight> {
  using base = channel_kernel<T, convolution_part::weight>;
  using number = typename base::number;
  using base::for_each_group, base::for_each_block, base::for_each_panel, base::source_of, base::target_of,
      base::weight_at;
  using base::width, base::g_, base::share_, base::room_, base::lanes_, base::packed_;

 public:
  /// Sums are in `memory_of_sums`, another such workspace or the same, which the team shares.
  channel_gradients(const convolution_arguments& c, const convolution_geometry& g, const channel_share& share,
                    std::byte* memory, std::byte* memory_of_sums)
      : base(c, g, share, memory_of_sums) {
    number* const sums = room_.sums;
    room_.place(memory);
    room_.sums = sums;
  }

  void run() {
    for_each_group([&](std::int64_t group) {
      for (std::int64_t batch = 0; batch < share_.rows.size; ++batch)
        add_gradients(group, share_.rows.begin + batch);
    });
  }

  /// Adds the sums of all batches to the first one's, one after the other: the weight's gradients.
  void finish() {
    for_each_group([&](std::int64_t group) {
      number* const all = room_.sums_of(share_, group, 0);
      for (std::int64_t batch = 1; batch < room_.batches(); ++batch) {
        const number* const more = room_.sums_of(share_, group, batch);
        for (std::int64_t i = 0; i < sums_of_batch(); i += width)
          store(all + i, load(all + i) + load(more + i));
      }
      store_gradients(group, all);
    });
  }

 private:
  std::int64_t runs_of_gradients() const { return packed_.runs(share_.sources.size); }
  std::int64_t sums_of_batch() const {
    return (runs_of_gradients() + runs_at_once - 1) / runs_at_once * numbers_of_tile * share_.vectors.size *
           width;
  }
  void add_gradients(std::int64_t group, std::int64_t batch) {
    const std::int64_t begin = share_.sources.begin, end = begin + share_.sources.size;
    const std::int64_t runs = runs_of_gradients();
    number* const all = room_.sums_of(share_, group, batch);
    bool adds = false;
    const range_part share = rows_of_batch(g_, room_.batches(), batch);
    for_each_block(share, [&](std::int64_t image, const packed_planes& windows, std::int64_t rows) {
      const packed_planes planes = packed_.planes(windows.images, windows.first_row, rows),
                          pixels{windows.images, windows.first_row, rows, 0, g_.count[1]};
      if (packed_.is_in_rows()) {
        pack(packed_.image(), g_.source_channels(), planes, source_of(image, group), number(0), room_.source);
      } else {
        pack_channels(g_.source, lanes_.source, begin, end, planes, source_of(image, group), room_.channels,
                      room_.source);
      }
      pack_channels(g_.target, lanes_.target, share_.vectors.begin,
                    share_.vectors.begin + share_.vectors.size, pixels,
                    static_cast<const T*>(target_of(image, group, 0)), room_.channels, room_.target);
      const channel_segments segments{room_.offsets, pixels.images * rows, g_.count[1], packed_.step()};
      for (std::int64_t row = 0; row < segments.count; ++row)
        room_.offsets[row] = packed_.row(planes, row / rows, row % rows);
      const auto run_at = [&](std::int64_t run) {
        return room_.source + packed_.run(planes, run, share_.sources.size);
      };
      number* sums = all;
      for_each_panel([&](std::int64_t v, std::int64_t count) {
        const number* const gradients = room_.target + (v - share_.vectors.begin) * pixels.channel() * width;
        for (std::int64_t run = 0; run < runs; run += runs_at_once) {
          const number* from[runs_at_once];
          for (int r = 0; r < runs_at_once; ++r) from[r] = run_at(std::min(run + r, runs - 1));
          add_channel_tile<numbers_of::channels>(static_cast<int>(count), from, segments, gradients,
                                                 pixels.channel() * width, sums, adds);
          sums += runs_at_once * run_length * count * width;
        }
      });
      adds = true;
    });
    if (!adds) std::fill_n(all, sums_of_batch(), number(0));
  }

  void store_gradients(std::int64_t group, const number* sums) {
    const std::int64_t first_source = share_.sources.begin;
    for_each_panel([&](std::int64_t v, std::int64_t count) {
      for (std::int64_t k = 0; k < count; ++k)
        for (std::int64_t s = 0; s < share_.sources.size; ++s) {
          const std::int64_t columns = lanes_.source.used_of(first_source + s) * g_.window(),
                             stride = columns + width;
          for (std::int64_t j = 0; j < columns; j += width)
            detail::transpose<number>(
                [&](int i) {
                  const std::int64_t at = std::min(j + i, columns - 1),
                                     sum = packed_.sum_of(s, at / g_.window(), at % g_.window());
                  return sums + (sum * count + k) * width;
                },
                [&](int i) { return room_.channels + i * stride + j; });
          for (std::int64_t r = 0; r < lanes_.target.used_of(v + k); ++r)
            copy_row(room_.channels + r * stride, 1, columns,
                     weight_at(group, lanes_.target.first(v + k) + r, lanes_.source.first(first_source + s)),
                     1);
        }
      sums += (runs_of_gradients() + runs_at_once - 1) / runs_at_once * numbers_of_tile * count * width;
    });
  }
};

}  // namespace tapeless::cpu_kernels
