// SPDX-License-Identifier: BSL-1.0
// Finds out that two threads are in one place at the same time, at the cost of an exchange in memory.
#pragma once

#include <atomic>
#include <utility>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

namespace detail {

/// A place in memory for each thread that is there.
inline const void* place_of_this_thread() {
  static thread_local const char place = 0;
  return &place;
}

/// Whether no other thread has been started, as far as the system tells: an exchange in memory takes as long
/// as a small model's forward pass.
inline bool is_only_thread() {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded != 0;
#else
  return false;
#endif
}

[[noreturn]] TAPELESS_COLD inline void refuse_second_thread(const char* what) {
  throw_error({"a ", what,
               " belongs to one thread at a time, but another thread is using this one: give each ",
               "thread a ", what, " of its own, or let them take turns"});
}

}  // namespace detail

/// Who is in first keeps the others out. Threads that come one after the other are welcome, in turn.
class one_thread {
 public:
  one_thread() = default;
  ~one_thread() {
    if (hold_ != nullptr) hold_->forget();
  }

  /// Others are kept out as long as it lives.
  class stay {
   public:
    explicit stay(std::atomic<const void*>* who) : who_(who) {}
    stay(stay&& other) noexcept : who_(std::exchange(other.who_, nullptr)) {}
    stay& operator=(stay&&) = delete;
    ~stay() {
      if (who_ != nullptr) who_->store(nullptr, std::memory_order_release);
    }
    bool is_first() const { return who_ != nullptr; }
    void forget() { who_ = nullptr; }

   private:
    std::atomic<const void*>* who_;  // null where the thread stays on: it was in before
  };

  /// Throws an error where another thread is in; `what` is what they both use. A thread that is in may come
  /// in again.
  [[nodiscard]] stay enter(const char* what) {
    const void *const me = detail::place_of_this_thread(), *who = who_.load(std::memory_order_relaxed);
    if (who == me) return stay(nullptr);
    if (who == nullptr && detail::is_only_thread()) {
      who_.store(me, std::memory_order_relaxed);
      return stay(&who_);
    }
    who = nullptr;
    if (!who_.compare_exchange_strong(who, me, std::memory_order_acquire, std::memory_order_relaxed))
      detail::refuse_second_thread(what);
    return stay(&who_);
  }

  /// A stay of many calls, in which the place may come to its end: a callback of fit may put another trainer
  /// in the place of the one that is trained.
  class hold {
   public:
    hold(one_thread& place, const char* what) : stay_(place.enter(what)) {
      if (stay_.is_first()) (place_ = &place)->hold_ = this;
    }
    hold(const hold&) = delete;
    ~hold() {
      if (place_ != nullptr) place_->hold_ = nullptr;
    }

   private:
    friend one_thread;
    one_thread* place_ = nullptr;  // null where the thread stays on
    stay stay_;

    void forget() {
      place_ = nullptr;
      stay_.forget();
    }
  };

 private:
  std::atomic<const void*> who_ = nullptr;
  hold* hold_ = nullptr;
};

}  // namespace tapeless
