// SPDX-License-Identifier: BSL-1.0
// What a pass's kernel is called with, and the elements at the end of a run that do not fill a vector.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/graph/node.hpp>

namespace tapeless::cpu_kernels {

/// A pointer to elements, so many bytes on; numbers, indices and empty operands have no memory to point to.
inline std::byte* moved(std::byte* data, std::int64_t bytes) {
  return data == nullptr ? nullptr : data + bytes;
}

/// An operand of a pass: where its elements start this time, and how far the loops step, in elements.
struct pass_operand {
  std::byte* data = nullptr;
  double number = 0;
  std::int64_t first_index = 0;  // of lane::index
  std::int64_t strides[max_rank] = {};
};

/// What a pass's kernel is called with: loads, then stores.
struct pass_call {
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  unsigned reduced = 0;
  unsigned ordered = 0;      // axes that stay on one thread
  bool accumulates = false;  // reductions go on from what is in memory
  const pass_operand* operands = nullptr;
};

/// Elements that do not fill a vector, on their way to and from memory of a vector's size.
template <class Stored>
void enter_tail(const std::byte* from, std::int64_t i, std::int64_t stride, std::byte* tail,
                std::int64_t rest, std::int64_t width) {
  for (std::int64_t n = 0; n < width; ++n)
    reinterpret_cast<Stored*>(tail)[n] =
        n < rest ? reinterpret_cast<const Stored*>(from)[(i + n) * stride] : Stored(0);
}
template <class Stored>
void leave_tail(std::byte* to, std::int64_t i, std::int64_t stride, const std::byte* tail,
                std::int64_t rest) {
  for (std::int64_t n = 0; n < rest; ++n)
    reinterpret_cast<Stored*>(to)[(i + n) * stride] = reinterpret_cast<const Stored*>(tail)[n];
}

}  // namespace tapeless::cpu_kernels
