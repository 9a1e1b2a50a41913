// SPDX-License-Identifier: BSL-1.0
// Keeps what changes weights, such as a trainer's step, and the calls of functions that read them apart,
// where these are in several threads.
#pragma once

#include <atomic>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

/// Whose the weights are.
enum class weights_owner { trainer, function };

namespace detail {

[[noreturn]] TAPELESS_COLD inline void refuse_to_read(weights_owner whose) {
  throw_error(
      whose == weights_owner::trainer
          ? "a function on a trainer's weights is called or saved while the trainer takes a step, or its "
            "weights are loaded or averages of them come or go, in another thread: let them take turns, or "
            "give the function weights of its own (copy_parameters)"
          : "a function is called or saved while other weights are loaded into it in another thread: let "
            "them take turns, or load them into a new function and go on with that one");
}
[[noreturn]] TAPELESS_COLD inline void refuse_to_change(weights_owner whose) {
  throw_error(
      whose == weights_owner::trainer
          ? "a trainer takes a step, or its weights are loaded or averages of them come, while a function on "
            "its weights is called or saved in another thread: let them take turns, or give the function "
            "weights of its own "
            "(copy_parameters)"
          : "other weights are loaded into a function while another thread calls or saves it, or loads some, "
            "too: let them take turns, or load them into a new function and go on with that one");
}

}  // namespace detail

/// Knows who reads weights, and whether they are being changed. Any number may read at once; who comes while
/// others do what does not go with it is told so. Only change_after_reading waits.
class weights_guard {
 public:
  explicit weights_guard(weights_owner whose = weights_owner::trainer) : whose_(whose) {}

  weights_owner whose() const { return whose_; }

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
  weights_owner whose_;
  // One of two that come at the same time sees the other: each says that it is there before it looks.
  std::atomic<int> readers_ = 0;
  std::atomic<int> changes_ = 0;  // of a trainer, which may be in one another

  void end_reading() {
    readers_.fetch_sub(1);
    if (changes_.load() != 0) [[unlikely]]
      wake_up();
  }
  TAPELESS_COLD void wake_up() { readers_.notify_all(); }
  void end_changing() { changes_.fetch_sub(1, std::memory_order_release); }

 public:
  using reading = period<&weights_guard::end_reading>;
  using changing = period<&weights_guard::end_changing>;

  /// Throws an error where they are being changed.
  [[nodiscard]] reading read() {
    readers_.fetch_add(1);
    reading r(this);
    if (changes_.load() != 0) [[unlikely]]
      detail::refuse_to_read(whose_);
    return r;
  }

  /// Throws an error where they are being read. Of a trainer, which keeps other threads out, what changes
  /// them already goes on; of a function it may be another thread that does.
  [[nodiscard]] changing change() {
    const bool goes_on = changes_.fetch_add(1) != 0;
    changing c(this);
    if (goes_on ? whose_ == weights_owner::function : readers_.load() != 0) [[unlikely]]
      detail::refuse_to_change(whose_);
    return c;
  }

  /// The same for destructors, which cannot throw: refuses new readers, and waits for the others to end.
  /// Pre-condition: this thread is none of them.
  [[nodiscard]] TAPELESS_COLD changing change_after_reading() noexcept {
    changes_.fetch_add(1);
    changing c(this);
    for (int readers = readers_.load(); readers != 0; readers = readers_.load()) readers_.wait(readers);
    return c;
  }
};

}  // namespace tapeless
