// SPDX-License-Identifier: BSL-1.0
// What one pointer owns. std::unique_ptr costs g++ 30 million instructions for each type.
#pragma once

#include <cstddef>

namespace tapeless {

namespace detail {

struct by_delete {
  template <class T>
  void operator()(T* object) const {
    delete object;
  }
};

}  // namespace detail

/// Owns an object, or none, and ends it by Delete, which is called with a pointer that is not null.
template <class T, class Delete = detail::by_delete>
class sole_owner {
 public:
  constexpr sole_owner() = default;
  explicit sole_owner(T* object) : object_(object) {}
  sole_owner(sole_owner&& other) noexcept : object_(other.release()) {}
  sole_owner& operator=(sole_owner&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~sole_owner() { reset(); }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const sole_owner& o, std::nullptr_t) { return o.object_ == nullptr; }

  /// Post-condition: nothing is owned, and what was is the caller's.
  T* release() {
    T* const object = object_;
    object_ = nullptr;
    return object;
  }
  /// Post-condition: the new object is owned, and what was has ended.
  void reset(T* object = nullptr) {
    T* const before = object_;
    object_ = object;
    if (before != nullptr) Delete()(before);
  }

 private:
  T* object_ = nullptr;
};

/// Owns an array, or none.
template <class T>
class sole_owner<T[]> {
 public:
  constexpr sole_owner() = default;
  explicit sole_owner(T* items) : items_(items) {}
  sole_owner(sole_owner&& other) noexcept : items_(other.items_) { other.items_ = nullptr; }
  /// Post-condition: the other one owns what was owned here.
  sole_owner& operator=(sole_owner&& other) noexcept {
    T* const before = items_;
    items_ = other.items_;
    other.items_ = before;
    return *this;
  }
  ~sole_owner() { delete[] items_; }

  T* get() const { return items_; }
  T& operator[](std::size_t i) const { return items_[i]; }

 private:
  T* items_ = nullptr;
};

}  // namespace tapeless
