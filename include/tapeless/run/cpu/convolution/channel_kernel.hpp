// SPDX-License-Identifier: BSL-1.0
// What convolutions of channels and the gradients of their weights share: where a thread has its operands,
// and the blocks, groups and vectors of its share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/convolution/channel_blocks.hpp>
#include <tapeless/run/cpu/convolution/packed_source.hpp>

namespace tapeless::cpu_kernels {

/// One thread's share of a convolution whose vectors go over channels.
template <class T, convolution_part Part>
class channel_kernel {
 protected:
  using number = computed_as<element_of<T>>;
  using workspace = channel_workspace<number>;
  static constexpr std::int64_t width = packet_size<number>;

  channel_kernel(const convolution_arguments& c, const convolution_geometry& g, const channel_share& share,
                 std::byte* memory)
      : g_(g),
        share_(share),
        room_(g, Part),
        lanes_(room_.blocks()),
        packed_(g, width),
        source_(reinterpret_cast<const T*>(Part == convolution_part::x ? c.y : c.x)),
        weight_(reinterpret_cast<T*>(c.weight)),
        target_(reinterpret_cast<T*>(Part == convolution_part::x ? c.x : c.y)) {
    room_.place(memory);
  }
  channel_kernel(const channel_kernel&) = delete;  // it refers to itself
  ~channel_kernel() = default;

  const convolution_geometry& g_;
  channel_share share_;
  workspace room_;
  const channel_blocks& lanes_;
  const packed_source packed_;
  const T* source_;
  T* weight_;
  T* target_;

  template <class F>
  void for_each_group(F f) const {
    for (std::int64_t i = 0; i < share_.groups.size; ++i) f(share_.groups.begin + i);
  }
  // f(first image, planes, rows of the target's phases)
  template <class F>
  void for_each_block(const range_part& share, F f) const {
    const std::int64_t all = g_.count[0], end = share.begin + share.size;
    std::int64_t images, rows;
    for (std::int64_t at = share.begin; at < end; at += images * rows) {
      const std::int64_t row = at % all;
      rows = std::min({lanes_.rows_at_once, all - row, end - at});
      images = rows == all ? std::min(lanes_.images_at_once, (end - at) / all) : 1;
      f(at / all, g_.planes(images, g_.first[0] + row, rows), rows);
    }
  }
  const T* source_of(std::int64_t image, std::int64_t group) const {
    return source_ + (image * g_.source.channels + group * g_.source_channels()) * g_.source.elements();
  }
  T* target_of(std::int64_t image, std::int64_t group, std::int64_t channel) const {
    return target_ +
           (image * g_.target.channels + group * g_.target_channels() + channel) * g_.target.elements();
  }

  /// f(vector, how many) of the share's vectors of the target's channels.
  template <class F>
  void for_each_panel(F f) const {
    const std::int64_t end = share_.vectors.begin + share_.vectors.size;
    for (std::int64_t v = share_.vectors.begin; v < end; v += channel_vectors_at_once)
      f(v, std::min<std::int64_t>(channel_vectors_at_once, end - v));
  }
  // The weight is [out, in / groups, kernel]. Of a target's and a source's channel:
  T* weight_at(std::int64_t group, std::int64_t target, std::int64_t source) const {
    constexpr bool to_x = Part == convolution_part::x;
    const std::int64_t out =
        to_x ? group * g_.source_channels() + source : group * g_.target_channels() + target;
    const std::int64_t ins = to_x ? g_.target_channels() : g_.source_channels(), in = to_x ? target : source;
    return weight_ + (out * ins + in) * g_.window();
  }
};

}  // namespace tapeless::cpu_kernels
