// SPDX-License-Identifier: BSL-1.0
// A number, or none. std::optional costs g++ 20 million instructions for each type.
#pragma once

namespace tapeless {

/// A value, or nothing: of types that are cheap to make.
template <class T>
class maybe {
 public:
  constexpr maybe() = default;
  constexpr maybe(const T& value) : value_(value), is_there_(true) {}

  constexpr explicit operator bool() const { return is_there_; }
  /// Pre-condition: there is one.
  constexpr const T& operator*() const { return value_; }
  friend constexpr bool operator==(const maybe& a, const T& b) { return a.is_there_ && a.value_ == b; }

 private:
  T value_{};
  bool is_there_ = false;
};

}  // namespace tapeless
