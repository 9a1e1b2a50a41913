// SPDX-License-Identifier: BSL-1.0
// conv: the options of convolutions.
#pragma once

#include <cstddef>

#include <tapeless/ops/spatial/padding_mode.hpp>
#include <tapeless/ops/spatial/spatial_extents.hpp>

namespace tapeless {

/// A padding in words. same: as much as makes the result as long as x, of an uneven number the larger part
/// behind x; valid: none.
enum class padding_size { given, same, valid };

/// A convolution's padding: a number, one for each spatial axis, or a padding_size.
struct conv_padding : spatial_extents {
  padding_size size = padding_size::given;

  constexpr conv_padding(int all) : spatial_extents(all) {}
  constexpr conv_padding(int first, int second) : spatial_extents(first, second) {}
  constexpr conv_padding(int first, int second, int third) : spatial_extents(first, second, third) {}
  constexpr conv_padding(padding_size s) : spatial_extents(0), size(s) {}
  template <std::size_t N>
  constexpr conv_padding(const char (&)[N]) : spatial_extents(0) {
    static_assert(N == 0,
                  "tapeless: a padding in words is tl::padding_size::same or tl::padding_size::valid");
  }
  /// What compilers write: the base and the member.
  constexpr conv_padding(const spatial_extents& given, padding_size s) : spatial_extents(given), size(s) {}
  friend constexpr bool operator==(const conv_padding&, const conv_padding&) = default;
};

/// Options of convolutions, with PyTorch's defaults.
struct conv {
  spatial_extents kernel{};            ///< of layers that own their weight; otherwise the weight says it
  spatial_extents stride = 1;          ///< from one window to the next
  conv_padding padding = 0;            ///< on both sides; or padding_size::same
  spatial_extents dilation = 1;        ///< from one element of a window to the next
  int groups = 1;                      ///< the channels fall into so many groups that do not meet
  bool bias = true;                    ///< of layers that own their weight
  spatial_extents output_padding = 0;  ///< of transposed convolutions: more of the result, behind it
  tapeless::padding_mode padding_mode = tapeless::padding_mode::zeros;  ///< what the padding is
  friend constexpr bool operator==(const conv&, const conv&) = default;
};

}  // namespace tapeless
