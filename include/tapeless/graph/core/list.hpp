// SPDX-License-Identifier: BSL-1.0
// An array that grows. std::vector costs several times the steps in a constant evaluation, and compilers
// count them. In a program it costs forty functions for each type of element, of which the library has many.
#pragma once

#include <cstddef>
#include <utility>

namespace tapeless {

template <class T>
class list {
 public:
  constexpr list() = default;
  /// Post-condition: size() == size, and every item equals T().
  constexpr explicit list(std::size_t size) {
    reserve(static_cast<int>(size));
    size_ = room_;
  }
  constexpr ~list() { delete[] items_; }
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
    items_[size_] = item;
    return size_++;
  }

  /// A new last item, which equals T(): for those that are dear to copy, or cannot be copied.
  constexpr T& add() {
    if (size_ == room_) reserve(room_ == 0 ? 16 : 2 * room_);
    items_[size_] = T();
    return items_[size_++];
  }

  /// Post-condition: size() == size, and every item equals `item`.
  constexpr void assign(int size, const T& item) {
    reserve(size);
    for (int i = 0; i < size; ++i) items_[i] = item;
    size_ = size;
  }

  constexpr void resize(int size, const T& item) {
    reserve(size);
    for (int i = size_; i < size; ++i) items_[i] = item;
    size_ = size;
  }

  constexpr void clear() { size_ = 0; }

  [[gnu::cold]] constexpr void reserve(int room) {
    if (room <= room_) return;
    T* items = new T[static_cast<unsigned>(room)]();
    for (int i = 0; i < size_; ++i) items[i] = std::move(items_[i]);
    delete[] items_;
    items_ = items;
    room_ = room;
  }

 private:
  [[gnu::cold]] constexpr int push_with_more_room(T item) {
    reserve(room_ == 0 ? 16 : 2 * room_);
    items_[size_] = item;
    return size_++;
  }

  T* items_ = nullptr;
  int size_ = 0;
  int room_ = 0;
};

}  // namespace tapeless
