// SPDX-License-Identifier: BSL-1.0
// weights(bytes): trained weights in memory that is only read, for a function.
#pragma once

#include <cstddef>
#include <type_traits>

namespace tapeless {

/// The bytes of a file of weights.
struct weights_in_memory {
  const std::byte* bytes;
  std::size_t size;
};

namespace detail {

template <class T>
concept is_byte = std::is_same_v<std::remove_const_t<T>, std::byte> ||
                  std::is_same_v<std::remove_const_t<T>, unsigned char>;

/// A vector, array or span of bytes.
template <class T>
concept has_bytes = requires(T& all) {
  all.size();
  requires is_byte<std::remove_reference_t<decltype(*all.data())>>;
};

}  // namespace detail

/// The bytes that tl::save, tl::save_bytes or tl::save_array of a trainer has written: function f{model,
/// weights(bytes)}. A function on tl::bare reads them where they are: in flash, in a mapped file, in an array
/// of the program. There they are of the same model, begin at a multiple of the alignment of the machine's
/// vectors (64 serves everywhere), and live as long as the function. Others copy what they need when they are
/// made, by the rules of load.
template <detail::is_byte Byte>
weights_in_memory weights(Byte* bytes, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(bytes), size};
}
/// The same of an array.
template <detail::is_byte Byte, std::size_t Size>
weights_in_memory weights(Byte (&bytes)[Size]) {
  return weights(bytes, Size);
}
/// The same of a vector, array or span.
template <detail::has_bytes Bytes>
weights_in_memory weights(const Bytes& bytes) {
  return weights(bytes.data(), bytes.size());
}

}  // namespace tapeless
