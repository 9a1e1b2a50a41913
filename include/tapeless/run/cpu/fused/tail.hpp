// SPDX-License-Identifier: BSL-1.0
// The elements at the end of a run that do not fill a vector: they go through one iteration in memory of a
// vector's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tapeless/run/cpu/fused/kernel_functions.hpp>
#include <tapeless/run/cpu/vectors/eigen.hpp>

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

/// 1 to 63 bytes: two pieces that overlap.
inline void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const auto both_ends = [=]<std::size_t Piece>(std::integral_constant<std::size_t, Piece>) {
    const std::int64_t last = bytes - std::int64_t{Piece};
    std::memcpy(to, from, Piece);
    std::memcpy(to + last, from + last, Piece);
  };
  if (bytes >= 32) return both_ends(std::integral_constant<std::size_t, 32>{});
  if (bytes >= 16) return both_ends(std::integral_constant<std::size_t, 16>{});
  if (bytes >= 8) return both_ends(std::integral_constant<std::size_t, 8>{});
  if (bytes >= 4) return both_ends(std::integral_constant<std::size_t, 4>{});
  if (bytes >= 2) return both_ends(std::integral_constant<std::size_t, 2>{});
  *to = *from;
}

#if defined(__AVX512BW__)
inline __mmask64 first_bytes(std::int64_t bytes) { return (std::uint64_t{1} << bytes) - 1; }
#endif

/// Fills the room for one operand, which is that of a vector.
inline void enter(std::byte* room, std::int64_t room_bytes, const std::byte* from, std::int64_t bytes) {
#if defined(__AVX512BW__)
  if (room_bytes == 64) return _mm512_store_si512(room, _mm512_maskz_loadu_epi8(first_bytes(bytes), from));
#endif
  for (std::int64_t i = 0; i < room_bytes; i += 16) std::memset(room + i, 0, 16);
  copy_bytes(room, from, bytes);
}
inline void leave(std::byte* to, const std::byte* room, [[maybe_unused]] std::int64_t room_bytes,
                  std::int64_t bytes) {
#if defined(__AVX512BW__)
  if (room_bytes == 64) return _mm512_mask_storeu_epi8(to, first_bytes(bytes), _mm512_load_si512(room));
#endif
  copy_bytes(to, room, bytes);
}

}  // namespace detail

/// Operands of which an iteration reads or writes contiguous elements: the size of one; 0 of the others. The
/// first `read` are read, also where they are results.
struct tail_sizes {
  const std::int64_t* sizes;
  int operands, read;
};

/// Copies the elements from number i on, `rest` of each operand that is read, to `tail`, `room` bytes for
/// each, a multiple of 16, and sets where the iteration finds them.
inline void enter_tail(const tail_sizes& all, const operand_place* place, std::int64_t i, std::int64_t rest,
                       std::byte* tail, std::int64_t room, operand_place* in_tail) {
  for (int k = 0; k < all.operands; ++k, tail += room) {
    // member by member, as they were just written: what is written in pieces is slow to be read at once
    const std::int64_t size = all.sizes[k], stride = place[k].stride;
    in_tail[k].index = place[k].index + i * stride;
    in_tail[k].data = size == 0 ? place[k].data : tail;
    in_tail[k].stride = size == 0 ? stride : 1;
    if (size == 0) continue;
    if (k >= all.read) continue;
    const std::byte* from = place[k].data + i * stride * size;
    if (stride == 1) {
      detail::enter(tail, room, from, rest * size);
    } else {
      std::memset(tail, 0, static_cast<std::size_t>(room));
      detail::copy_elements(size, tail, 1, from, stride, rest);
    }
  }
}

/// Copies what the iteration has written, by operands from number `first` on, to where it belongs.
inline void leave_tail(const tail_sizes& all, const operand_place* place, int first, std::int64_t i,
                       std::int64_t rest, std::int64_t room, const operand_place* in_tail) {
  for (int k = first; k < all.operands; ++k) {
    const std::int64_t size = all.sizes[k], stride = place[k].stride;
    if (size == 0) continue;
    std::byte* to = place[k].data + i * stride * size;
    if (stride == 1) {
      detail::leave(to, in_tail[k].data, room, rest * size);
    } else {
      detail::copy_elements(size, to, stride, in_tail[k].data, 1, rest);
    }
  }
}

}  // namespace tapeless::cpu_kernels
