// SPDX-License-Identifier: BSL-1.0
// weights(bytes): trained weights in memory that is only read, for a function.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
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

/// An array of bytes, a std::array, a vector, a span or the like.
template <class R>
concept range_of_bytes = requires(R& range) {
  std::size(range);
  { *std::data(range) };
  requires is_byte<std::remove_reference_t<decltype(*std::data(range))>>;
};

/// What refuses an operand takes it so: some cannot be copied.
struct any_weights {
  template <class T>
  any_weights(const T&) {}
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
/// The same of an array, a std::array, a vector or a span.
template <detail::range_of_bytes R>
weights_in_memory weights(const R& bytes) {
  return weights(std::data(bytes), std::size(bytes));
}
/// What is none of these, and nothing that weights() of another header takes.
template <class None = void>
weights_in_memory weights(detail::any_weights = 0, ...) {
  static_assert(
      !std::is_void_v<None>,
      "tapeless: tl::weights takes trained weights as an array, a std::array or a std::span of unsigned "
      "char or std::byte, or a pointer to these and their number; the path of a file or a trainer "
      "needs tapeless/tapeless.hpp");
  return {};
}

}  // namespace tapeless
