// SPDX-License-Identifier: BSL-1.0
// Keeps a trainer's steps and the calls of functions on its weights apart, where these are in other threads.
#pragma once

#include <atomic>
#include <utility>

#include <tapeless/error.hpp>

namespace tapeless {

/// Knows who reads weights, and whether they are being changed. Any number may read at once; who comes while
/// others do what does not go with it is told so, and waits for nobody.
class weights_guard {
 public:
  /// As long as it lives, the weights are read, or changed.
  template <void (weights_guard::*End)()>
  class period {
   public:
    explicit period(weights_guard* guard) : guard_(guard) {}
    period(period&& other) noexcept : guard_(std::exchange(other.guard_, nullptr)) {}
    period& operator=(period&&) = delete;
    ~period() {
      if (guard_ != nullptr) (guard_->*End)();
    }

   private:
    weights_guard* guard_;
  };

 private:
  // One of two that come at the same time sees the other: each says that it is there before it looks.
  std::atomic<int> readers_ = 0;
  std::atomic<bool> changes_ = false;

  void end_reading() { readers_.fetch_sub(1, std::memory_order_release); }
  void end_changing() { changes_.store(false, std::memory_order_release); }

 public:
  using reading = period<&weights_guard::end_reading>;
  using changing = period<&weights_guard::end_changing>;

  /// Throws an error where they are being changed.
  [[nodiscard]] reading read() {
    readers_.fetch_add(1);
    reading r(this);
    if (changes_.load()) [[unlikely]]
      throw_error(
          "a function on a trainer's weights is called while the trainer takes a step in another thread: let "
          "them take turns, or give the function weights of its own (copy_parameters)");
    return r;
  }

  /// Throws an error where they are being read. Only one thread at a time asks for it; where it changes them
  /// already, it goes on.
  [[nodiscard]] changing change() {
    if (changes_.exchange(true)) return changing(nullptr);
    changing c(this);
    if (readers_.load() != 0) [[unlikely]]
      throw_error(
          "a trainer takes a step while a function on its weights is called in another thread: let them take "
          "turns, or give the function weights of its own (copy_parameters)");
    return c;
  }
};

}  // namespace tapeless
