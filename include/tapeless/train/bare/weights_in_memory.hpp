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

namespace detail {

template <class T>
concept is_byte = std::is_same_v<std::remove_const_t<T>, std::byte> ||
                  std::is_same_v<std::remove_const_t<T>, unsigned char>;

}  // namespace detail

/// The bytes that tl::save or tl::save_array of a trainer of the same model has written: in flash, in a
/// mapped file, in an array of the program. They begin at a multiple of the alignment of the machine's
/// vectors (64 serves everywhere), and live as long as the function that reads them.
template <detail::is_byte Byte>
weights_in_memory weights(Byte* bytes, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(bytes), size};
}
/// The same of an array.
template <detail::is_byte Byte, std::size_t Size>
weights_in_memory weights(Byte (&bytes)[Size]) {
  return weights(bytes, Size);
}

}  // namespace tapeless
