// SPDX-License-Identifier: BSL-1.0
// The elements at the end of a run that do not fill a vector: they go through one iteration in memory of a
// vector's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tapeless/run/cpu/kernel_loops.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

template <std::size_t Size>
void copy_elements(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
                   std::int64_t count) {
  constexpr auto size = static_cast<std::int64_t>(Size);
  for (std::int64_t n = 0; n < count; ++n)
    std::memcpy(to + n * to_stride * size, from + n * from_stride * size, Size);
}

inline void copy_elements(std::int64_t size, std::byte* to, std::int64_t to_stride, const std::byte* from,
                          std::int64_t from_stride, std::int64_t count) {
  if (size == 1) return copy_elements<1>(to, to_stride, from, from_stride, count);
  if (size == 2) return copy_elements<2>(to, to_stride, from, from_stride, count);
  if (size == 4) return copy_elements<4>(to, to_stride, from, from_stride, count);
  return copy_elements<8>(to, to_stride, from, from_stride, count);
}

}  // namespace detail

/// Operands of which an iteration reads or writes contiguous elements: the size of one; 0 of the others.
struct tail_sizes {
  const std::int64_t* sizes;
  int operands;
};

/// Copies the elements from number i on, `rest` of each operand, to `tail`, `room` bytes for each, and sets
/// where the iteration finds them.
inline void enter_tail(const tail_sizes& all, const operand_place* place, std::int64_t i, std::int64_t rest,
                       std::byte* tail, std::int64_t room, operand_place* in_tail) {
  std::memset(tail, 0, static_cast<std::size_t>(all.operands * room));
  for (int k = 0; k < all.operands; ++k, tail += room) {
    in_tail[k] = place[k];
    const std::int64_t size = all.sizes[k], stride = place[k].stride;
    if (size == 0) continue;
    detail::copy_elements(size, tail, 1, place[k].data + i * stride * size, stride, rest);
    in_tail[k].data = tail;
    in_tail[k].stride = 1;
  }
}

/// Copies what the iteration has written, by operands from number `first` on, to where it belongs.
inline void leave_tail(const tail_sizes& all, const operand_place* place, int first, std::int64_t i,
                       std::int64_t rest, const operand_place* in_tail) {
  for (int k = first; k < all.operands; ++k) {
    const std::int64_t size = all.sizes[k], stride = place[k].stride;
    if (size != 0)
      detail::copy_elements(size, place[k].data + i * stride * size, stride, in_tail[k].data, 1, rest);
  }
}

}  // namespace tapeless::cpu_kernels
