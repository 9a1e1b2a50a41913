// SPDX-License-Identifier: BSL-1.0
// Contiguous items in memory that belongs to somebody else; a std::span can be made of it. Compilers check a
// dozen concepts for each type of item in a std::span, which costs g++ 50 million instructions, and the
// tables of a program alone have twenty types. Shapes and samples that users get are std::span.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace tapeless {

namespace detail {

/// Strides, as Eigen's vectors, xtensor's arrays and mdspan have them: data() and size() do not say all.
template <class Items>
concept has_strides = requires(const Items& items) { items.innerStride(); } || requires(const Items& items) {
  items.strides();
} || requires(const Items& items) { items.stride(0); };

}  // namespace detail

template <class T>
class array_view {
 public:
  constexpr array_view() = default;
  constexpr array_view(T* data, std::size_t size) : data_(data), size_(size) {}
  template <std::size_t Size>
  constexpr array_view(T (&items)[Size]) : array_view(items, Size) {}
  /// All items of a std::array, a vector, a list, a std::span or another array_view.
  template <class Items, class = decltype(std::declval<T*&>() = std::declval<Items&>().data())>
    requires(!detail::has_strides<Items>)
  constexpr array_view(Items&& items) : data_(items.data()), size_(static_cast<std::size_t>(items.size())) {}

  constexpr std::size_t size() const { return size_; }
  constexpr std::size_t size_bytes() const { return size_ * sizeof(T); }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](std::size_t i) const { return data_[i]; }
  constexpr T* data() const { return data_; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }

  /// The same items for users. What std::span asks of them costs nothing where nobody calls this.
  constexpr std::span<T> span() const { return {data_, size_}; }

  /// Pre-condition: count <= size().
  constexpr array_view first(std::size_t count) const { return {data_, count}; }
  /// Pre-condition: offset <= size().
  constexpr array_view subspan(std::size_t offset) const { return {data_ + offset, size_ - offset}; }
  /// Pre-condition: offset + count <= size().
  constexpr array_view subspan(std::size_t offset, std::size_t count) const {
    return {data_ + offset, count};
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tapeless
