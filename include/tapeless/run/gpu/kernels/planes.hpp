// SPDX-License-Identifier: BSL-1.0
// Elements of images: planes of rows and columns, one after the other.
#pragma once

#include <algorithm>

#include <tapeless/run/gpu/kernels/index_space.hpp>

namespace tapeless::thrust_kernels {

/// An element of one of many planes.
struct plane_element {
  std::uint32_t plane, inside, row, column;
};

/// The elements of planes of some rows and columns, one plane after the other.
class planes {
 public:
  constexpr explicit planes(const std::int64_t* extents)
      : rows_(static_cast<std::uint32_t>(extents[0])),
        columns_(std::max<std::int64_t>(extents[1], 1)),
        elements_(std::max<std::int64_t>(extents[0] * extents[1], 1)) {}

  constexpr std::uint32_t rows() const { return rows_; }
  constexpr std::uint32_t columns() const { return columns_.value(); }
  constexpr std::uint32_t elements() const { return elements_.value(); }
  constexpr plane_element element(std::uint32_t i) const {
    const std::uint32_t plane = elements_.quotient(i), inside = i - plane * elements();
    const std::uint32_t row = columns_.quotient(inside);
    return {plane, inside, row, inside - row * columns()};
  }

 private:
  std::uint32_t rows_;
  divisor columns_, elements_;
};

}  // namespace tapeless::thrust_kernels
