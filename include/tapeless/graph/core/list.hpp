// SPDX-License-Identifier: BSL-1.0
// An array that grows. std::vector costs several times the steps in a constant evaluation, and compilers
// count them. In a program it costs forty functions for each type of element, of which the library has many.
#pragma once

#include <climits>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

namespace detail {

/// Memory for so many bytes, of which the first are those of the old memory, which is given back; the others
/// are zero.
TAPELESS_COLD inline void* with_more_room(void* old, std::size_t used, std::size_t bytes) {
  void* const memory = ::operator new(bytes);
  if (used != 0) std::memcpy(memory, old, used);
  std::memset(static_cast<std::byte*>(memory) + used, 0, bytes - used);
  ::operator delete(old);
  return memory;
}
// clang 19 takes a constexpr destructor that calls operator delete itself for one which does nothing.
inline void give_back_bytes(void* memory) { ::operator delete(memory); }

}  // namespace detail

template <class T>
class list {
 public:
  constexpr list() = default;
  /// Post-condition: size() == size, and every item equals T(). Throws std::bad_alloc where an int cannot
  /// count them.
  constexpr explicit list(std::size_t size) {
    if (size > INT_MAX) throw_bad_alloc("a list cannot have so many items");
    reserve(static_cast<int>(size));
    if constexpr (is_plain) {
      size_ = room_;
    } else {
      while (size_ < room_) add();
    }
  }
  constexpr ~list() { give_back(); }
  constexpr explicit list(const list& other) {
    reserve(other.size_);
    for (const T& item : other) push(item);
  }
  /// Post-condition: other.size() == 0.
  constexpr list(list&& other) noexcept { *this = std::move(other); }
  /// Post-condition: the other one has the items that were here.
  constexpr list& operator=(list&& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    return *this;
  }

  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](int i) { return items_[i]; }
  constexpr const T& operator[](int i) const { return items_[i]; }
  constexpr T& operator[](std::size_t i) { return items_[i]; }
  constexpr const T& operator[](std::size_t i) const { return items_[i]; }
  constexpr T* data() { return items_; }
  constexpr const T* data() const { return items_; }
  constexpr T* begin() { return items_; }
  constexpr T* end() { return items_ + size_; }
  constexpr const T* begin() const { return items_; }
  constexpr const T* end() const { return items_ + size_; }

  /// Post-condition: the new item's index is returned and is size() - 1. The item may be one of the list's
  /// own.
  constexpr int push(const T& item) {
    if (size_ == room_) return push_with_more_room(item);
    if constexpr (is_plain) {
      items_[size_] = item;
    } else {
      std::construct_at(items_ + size_, item);
    }
    return size_++;
  }

  /// A new last item, which equals T(): for those that are dear to copy, or cannot be copied.
  constexpr T& add() {
    if (size_ == room_) reserve(room_ == 0 ? 16 : 2 * room_);
    put(T());
    return items_[size_++];
  }

  /// Post-condition: size() == size, and every item equals `item`.
  constexpr void assign(int size, const T& item) {
    clear();
    resize(size, item);
  }

  constexpr void resize(int size, const T& item) {
    reserve(size);
    shorten(size);
    if constexpr (is_plain) {
      for (; size_ < size; ++size_) items_[size_] = item;
    } else {
      while (size_ < size) push(item);
    }
  }

  constexpr void clear() { shorten(0); }

  TAPELESS_COLD constexpr void reserve(int room) {
    if (room <= room_) return;
    if constexpr (are_bytes) {
      if (!std::is_constant_evaluated()) {
        items_ = static_cast<T*>(detail::with_more_room(items_, static_cast<unsigned>(size_) * sizeof(T),
                                                        static_cast<unsigned>(room) * sizeof(T)));
        room_ = room;
        return;
      }
    }
    T* items;
    if constexpr (is_plain) {
      items = new T[static_cast<unsigned>(room)]();
      for (int i = 0; i < size_; ++i) items[i] = items_[i];
    } else {
      items = std::allocator<T>().allocate(static_cast<unsigned>(room));
      for (int i = 0; i < size_; ++i) std::construct_at(items + i, std::move(items_[i]));
    }
    give_back();
    items_ = items;
    room_ = room;
  }

 private:
  TAPELESS_COLD constexpr int push_with_more_room(T item) {
    reserve(room_ == 0 ? 16 : 2 * room_);
    put(std::move(item));
    return size_++;
  }

  // Items with initial values of their own are made only where they are put: in a constant evaluation one
  // that stands for room costs as much as four copies. The compiler is asked itself: of std's traits, each
  // would take a dozen templates for each type.
  static constexpr bool is_plain = __is_trivially_constructible(T);
  // Items that a program may copy as bytes: its memory for them comes from one function for all types.
  static constexpr bool are_bytes =
      __is_trivially_copyable(T) && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;

  // Behind the last item, where there is room.
  constexpr void put(T&& item) {
    if constexpr (is_plain) {
      items_[size_] = item;
    } else {
      std::construct_at(items_ + size_, std::move(item));
    }
  }

  constexpr void shorten(int size) {
    if constexpr (!are_bytes)
      for (int i = size; i < size_; ++i) std::destroy_at(items_ + i);
    if (size < size_) size_ = size;
  }

  constexpr void give_back() {
    if constexpr (are_bytes) {
      if (!std::is_constant_evaluated()) return detail::give_back_bytes(items_);
    }
    if constexpr (is_plain) {
      delete[] items_;
    } else if (items_ != nullptr) {
      if constexpr (!are_bytes)
        for (int i = 0; i < size_; ++i) std::destroy_at(items_ + i);
      std::allocator<T>().deallocate(items_, static_cast<unsigned>(room_));
    }
  }

  T* items_ = nullptr;
  int size_ = 0;
  int room_ = 0;
};

}  // namespace tapeless
