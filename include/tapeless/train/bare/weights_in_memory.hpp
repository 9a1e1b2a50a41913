// SPDX-License-Identifier: BSL-1.0
// weights(bytes): trained weights in memory that is only read, for a function on tl::bare.
#pragma once

#include <cstddef>
#include <type_traits>

namespace tapeless {

/// The bytes of a file of weights, which stay where they are.
struct weights_in_memory {
  const std::byte* bytes;
  std::size_t size;
};

/// The bytes that tl::save or tl::save_array of a trainer of the same model has written: in flash, in a
/// mapped file, in an array of the program. They begin at a multiple of the alignment of
/// the machine's vectors (64 serves everywhere), and live as long as the function that reads them.
inline weights_in_memory weights(const void* bytes, std::size_t size) {
  return {static_cast<const std::byte*>(bytes), size};
}
/// The same of an array of std::byte or unsigned char.
template <class Byte, std::size_t Size>
  requires(std::is_same_v<std::remove_const_t<Byte>, std::byte> ||
           std::is_same_v<std::remove_const_t<Byte>, unsigned char>)
weights_in_memory weights(Byte (&bytes)[Size]) {
  return weights(bytes, Size);
}

}  // namespace tapeless
