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
            "weights are loaded, in another thread: let them take turns, or give the function weights of its "
            "own (copy_parameters)"
          : "a function is called or saved while other weights are loaded into it in another thread: let "
            "them take turns, or load them into a new function and go on with that one");
}
[[noreturn]] TAPELESS_COLD inline void refuse_to_change(weights_owner whose) {
  throw_error(
      whose == weights_owner::trainer
          ? "a trainer takes a step, or its weights are loaded, while a function on its weights is called or "
            "saved in another thread: let them take turns, or give the function weights of its own "
            "(copy_parameters)"
          : "other weights are loaded into a function while another thread calls or saves it, or loads some, "
            "too: let them take turns, or load them into a new function and go on with that one");
}

}  // namespace detail

/// Knows who reads weights, and whether they are being changed. Any number may read at once; who comes while
/// others do what does not go with it is told so; only an end of a change, which cannot be, waits.
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
  std::atomic<bool> changes_ = false;

  void end_reading() {
    readers_.fetch_sub(1);
    if (changes_.load()) [[unlikely]]
      readers_.notify_all();
  }
  void end_changing() { changes_.store(false, std::memory_order_release); }

 public:
  using reading = period<&weights_guard::end_reading>;
  using changing = period<&weights_guard::end_changing>;

  /// Throws an error where they are being changed.
  [[nodiscard]] reading read() {
    readers_.fetch_add(1);
    reading r(this);
    if (changes_.load()) [[unlikely]]
      detail::refuse_to_read(whose_);
    return r;
  }

  /// Throws an error where they are being read. Of a trainer, which keeps other threads out, what changes
  /// them already goes on; of a function it may be another thread that does.
  [[nodiscard]] changing change() {
    if (changes_.exchange(true)) {
      if (whose_ == weights_owner::function) detail::refuse_to_change(whose_);
      return changing(nullptr);
    }
    changing c(this);
    if (readers_.load() != 0) [[unlikely]]
      detail::refuse_to_change(whose_);
    return c;
  }

  /// The same for what can throw no error: waits for those who read them to end; others are refused.
  [[nodiscard]] TAPELESS_COLD changing change_when_read() noexcept {
    changing c(changes_.exchange(true) ? nullptr : this);
    for (int readers = readers_.load(); readers != 0; readers = readers_.load()) readers_.wait(readers);
    return c;
  }
};

}  // namespace tapeless
