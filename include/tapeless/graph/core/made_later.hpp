// SPDX-License-Identifier: BSL-1.0
// A value that is made later, in its place. std::optional costs g++ 20 million instructions for each type,
// and has 7,000 tokens.
#pragma once

#include <memory>
#include <utility>

namespace tapeless {

/// A value, or none yet. It stays where it was made: it is neither copied nor moved.
template <class T>
class made_later {
 public:
  made_later() {}
  made_later(T&& value) : value_(std::move(value)), is_there_(true) {}
  made_later(const made_later&) = delete;
  made_later& operator=(const made_later&) = delete;
  ~made_later() {
    if (is_there_) value_.~T();
  }

  /// Pre-condition: there is none.
  template <class... Arguments>
  void emplace(Arguments&&... arguments) {
    std::construct_at(&value_, std::forward<Arguments>(arguments)...);
    is_there_ = true;
  }

  explicit operator bool() const { return is_there_; }
  /// Pre-condition of all: there is one.
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

 private:
  union {
    T value_;
  };
  bool is_there_ = false;
};

}  // namespace tapeless
