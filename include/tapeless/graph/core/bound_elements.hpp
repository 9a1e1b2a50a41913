// SPDX-License-Identifier: BSL-1.0
// Elements that are bound to an input, wherever they lie: bindable_elements.hpp makes them of users' types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/node.hpp>

namespace tapeless {

/// Elements that are bound to an input, without their type.
struct bound_elements {
  /// The numbers of the samples along the first axis, where they come of a data set.
  const std::int64_t* samples = nullptr;
  bool given = false;
  const std::byte* data = nullptr;         // null where they are on a device alone
  const std::byte* device_data = nullptr;  // null where they are not on one
  int device = -1;
  element type = element::f32;
  std::int64_t count = 0;
  int rank = -1;         // -1: the shape is not known, only the count
  int strided_axes = 0;  // 0: contiguous in row-major order; of a vector without a shape, 1
  std::array<std::int64_t, max_rank> shape;    // of so many axes as rank says
  std::array<std::int64_t, max_rank> strides;  // of strided_axes, in elements

  // Most have neither shape nor strides, and a step of a small model takes no longer than to write these.
  constexpr bound_elements() { begin_axes(); }
  constexpr bound_elements(const bound_elements& other) {
    begin_axes();
    *this = other;
  }
  constexpr bound_elements& operator=(const bound_elements& other) {
    samples = other.samples;
    given = other.given;
    data = other.data;
    device_data = other.device_data;
    device = other.device;
    type = other.type;
    count = other.count;
    rank = other.rank;
    strided_axes = other.strided_axes;
    for (int d = 0; d < rank; ++d)
      shape[static_cast<std::size_t>(d)] = other.shape[static_cast<std::size_t>(d)];
    for (int d = 0; d < strided_axes; ++d)
      strides[static_cast<std::size_t>(d)] = other.strides[static_cast<std::size_t>(d)];
    return *this;
  }

 private:
  // What is a constant has no member without a value.
  constexpr void begin_axes() {
    if (std::is_constant_evaluated()) {
      shape = {};
      strides = {};
    }
  }
};

}  // namespace tapeless
