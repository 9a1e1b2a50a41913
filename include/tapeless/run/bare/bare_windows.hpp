// SPDX-License-Identifier: BSL-1.0
// Which elements of an image a window sees, along an axis.
#pragma once

#include <cstddef>

namespace tapeless::bare_kernels {

namespace detail {

/// Where windows are along an axis: position p sees element p * stride + tap - padding at a tap.
struct windows_along {
  std::ptrdiff_t image, positions, kernel, stride, dilation, padding;

  constexpr std::ptrdiff_t element(std::ptrdiff_t position, std::ptrdiff_t tap) const {
    return position * stride + tap * dilation - padding;
  }
  /// The positions from which the image's elements are seen at a tap.
  constexpr std::ptrdiff_t first_position(std::ptrdiff_t tap) const {
    const std::ptrdiff_t before = padding - tap * dilation;
    return before <= 0 ? 0 : (before + stride - 1) / stride;
  }
  constexpr std::ptrdiff_t end_position(std::ptrdiff_t tap) const {
    const std::ptrdiff_t last = image - 1 + padding - tap * dilation;
    const std::ptrdiff_t end = last < 0 ? 0 : last / stride + 1;
    return end < positions ? end : positions;
  }
  /// The position that sees an element at a tap; -1 where there is none.
  constexpr std::ptrdiff_t position_of(std::ptrdiff_t element, std::ptrdiff_t tap) const {
    const std::ptrdiff_t from = element + padding - tap * dilation;
    return from < 0 || from % stride != 0 || from / stride >= positions ? -1 : from / stride;
  }
  /// Whether a window would see an element at a tap, if there were positions enough.
  constexpr bool can_see(std::ptrdiff_t element, std::ptrdiff_t tap) const {
    return (element + padding - tap * dilation) % stride == 0;
  }
  /// Whether an element would be in the window of a position behind the last one.
  constexpr bool would_be_seen_behind(std::ptrdiff_t element) const {
    for (std::ptrdiff_t tap = 0; tap < kernel; ++tap)
      if (can_see(element, tap) && (element + padding - tap * dilation) / stride >= positions) return true;
    return false;
  }
  /// Whether windows are of two elements, and share none.
  constexpr bool are_pairs() const { return kernel == 2 && stride == 2 && padding == 0; }
  /// So many elements of the image are in the window at a position.
  constexpr std::ptrdiff_t elements_at(std::ptrdiff_t position) const {
    std::ptrdiff_t count = 0;
    for (std::ptrdiff_t tap = 0; tap < kernel; ++tap)
      count += element(position, tap) >= 0 && element(position, tap) < image ? 1 : 0;
    return count;
  }
};

template <class Planned>
constexpr windows_along windows_of(const Planned& p, int axis) {
  const auto of = [&](const auto& list) { return static_cast<std::ptrdiff_t>(list[axis]); };
  std::ptrdiff_t dilation = 1;
  if constexpr (requires { p.dilation; }) dilation = of(p.dilation);
  return {of(p.image), of(p.positions), of(p.kernel), of(p.stride), dilation, of(p.padding)};
}

}  // namespace detail

}  // namespace tapeless::bare_kernels
