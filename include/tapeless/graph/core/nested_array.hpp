// SPDX-License-Identifier: BSL-1.0
// Arrays of arrays as types: what their elements are, and their shape.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

// What an array of arrays has for elements, and its shape.
template <class T>
struct nested_array {
  using element = T;
  static constexpr std::size_t rank = 0;
  static constexpr void write_shape(std::int64_t*) {}
};
template <class T, std::size_t Size>
struct nested_array<T[Size]> {
  using element = typename nested_array<T>::element;
  static constexpr std::size_t rank = 1 + nested_array<T>::rank;
  static constexpr void write_shape(std::int64_t* shape) {
    *shape = Size;
    nested_array<T>::write_shape(shape + 1);
  }
};
template <class T, std::size_t Size>
  requires(Size > 0)
struct nested_array<std::array<T, Size>> : nested_array<T[Size]> {
  static_assert(sizeof(std::array<T, Size>) == sizeof(T[Size]));  // no gaps between the inner ones
};

// The array that has the elements and the shape of a type, for a span one of constants; an element's type, or
// a type whose size is not known while compiling, is left as it is.
template <class R>
struct plain_array {
  using type = R;
};
template <class T, std::size_t Size>
struct plain_array<T[Size]> {
  using type = typename plain_array<std::remove_cv_t<T>>::type[Size];
};
template <class T, std::size_t Size>
  requires(Size > 0)
struct plain_array<std::array<T, Size>> : plain_array<T[Size]> {};
template <class T, std::size_t Size>
  requires(Size > 0 && Size != std::dynamic_extent)
struct plain_array<std::span<T, Size>> {
  using type = const typename plain_array<T[Size]>::type;
};

/// The same, where it is an array; else void.
template <class R>
using known_array =
    std::conditional_t<std::is_array_v<typename plain_array<R>::type>, typename plain_array<R>::type, void>;

// The arrays in a range.
template <class R>
using array_in = nested_array<std::remove_cvref_t<decltype(*std::data(std::declval<const R&>()))>>;

}  // namespace tapeless::detail
