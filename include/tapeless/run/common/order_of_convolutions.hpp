// SPDX-License-Identifier: BSL-1.0
// In which order small convolutions are summed up: by tables of kernels and by straight-line code alike, so
// that both give the same bits on vectors of the same width.
#pragma once

#include <cstdint>

namespace tapeless {

/// How the gradient of a weight is summed up.
enum class gradient_order {
  over_columns,  ///< rows of all images one after the other: column i goes to sum i mod the vectors' width,
                 ///< and these are combined by halves
  over_pixels,   ///< positions of all images one after the other, in one sum
  in_blocks      ///< as tables of kernels block it: not in straight-line code
};

namespace detail {

/// What a convolution multiplies of so many images; no more than `most` + 1.
template <class Convolution>
constexpr std::int64_t multiplications_of(const Convolution& c, std::int64_t batch, std::int64_t most) {
  std::int64_t product = 1;
  const std::int64_t factors[] = {batch,          c.out,       c.in / c.groups, c.positions[0],
                                  c.positions[1], c.kernel[0], c.kernel[1]};
  for (const std::int64_t e : factors) {
    if (e == 0) return 0;
    product = product > most / e ? most + 1 : product * e;
  }
  return product;
}

/// So many numbers of a group's images do windows reach over, where they are packed for them.
template <class Convolution>
constexpr double numbers_under_windows(const Convolution& c) {
  double all = static_cast<double>(c.batch) * static_cast<double>(c.in / c.groups);
  for (int d = 0; d < 2; ++d) {
    const std::int64_t last = (c.kernel[d] - 1) * c.dilation[d],
                       phases = c.stride[d] < last + 1 ? c.stride[d] : last + 1;
    all *= static_cast<double>(phases) * static_cast<double>(c.positions[d] + last / c.stride[d]);
  }
  return all;
}

}  // namespace detail

/// Small convolutions multiply so much at most; or so much, where neighbours are no vectors.
inline constexpr std::int64_t most_of_small_convolution = 1 << 20, most_of_scalar_convolution = 1 << 10;

/// Whether y and x are sums over channels, and over the kernel's elements of each, one after the other, where
/// what is outside of the other image is 0 and no term is left out. It depends on one image alone, and so do
/// its bits.
template <class Convolution>
constexpr bool sums_up_by_channels(const Convolution& c) {
  return detail::multiplications_of(c, 1, most_of_small_convolution) <= most_of_small_convolution;
}

/// Whether rows are so short that straight-line code has them in registers, and windows are neighbours.
template <class Convolution>
constexpr bool has_short_rows(const Convolution& c, std::int64_t width) {
  const std::int64_t row = c.image[1] > c.positions[1] ? c.image[1] : c.positions[1];
  return width > 1 && c.stride[1] == 1 && c.kernel[1] <= 8 && row <= 4 * width;
}

/// The order of a convolution whose tables have vectors of that width. It depends on the extents alone: of
/// both ways that with fewer products of vectors.
template <class Convolution>
constexpr gradient_order order_of_gradient(const Convolution& c, std::int64_t width) {
  constexpr double most_under_windows = 1 << 16, most_of_pixels = 3 << 13;  // numbers that stay in a cache
  const std::int64_t steps = detail::multiplications_of(c, c.batch, most_of_small_convolution);
  const double under_windows = detail::numbers_under_windows(c);
  if (steps > most_of_small_convolution || under_windows > most_under_windows)
    return gradient_order::in_blocks;
  if (steps <= most_of_scalar_convolution) return gradient_order::over_columns;
  if (!has_short_rows(c, width)) return gradient_order::in_blocks;
  const auto vectors = [&](std::int64_t count) { return (count + width - 1) / width; };
  const std::int64_t in = c.in / c.groups, out = c.out / c.groups;
  if (in < 4 || out * vectors(c.positions[1]) <= c.positions[1] * vectors(out))
    return gradient_order::over_columns;
  const std::int64_t positions = c.batch * c.positions[0] * c.positions[1];
  return under_windows + static_cast<double>(positions * vectors(out) * width) <= most_of_pixels
             ? gradient_order::over_pixels
             : gradient_order::in_blocks;
}

}  // namespace tapeless
