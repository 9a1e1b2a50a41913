// SPDX-License-Identifier: BSL-1.0
// Tells whether what was taken from a program's memory still shows the run that it was taken after.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

namespace detail {

/// Counts the runs of one program after the other. It is never freed, so that it can be asked at any time,
/// and never starts again, so that what is outdated stays so. It is a plain number, as the elements are which
/// it guards: neither can be read while a run changes them. So what reads a result at once needs no look.
struct run_count {
  std::uint64_t runs = 0;
  run_count* next = nullptr;  // where it belongs to no program
};

// Of what was made without a run: it stays as it is.
inline constinit run_count without_runs;

// Those that belong to no program, as a list that whoever needs one takes as a whole: no thread waits for
// another, and none finds an entry that came back meanwhile in a place of before.
inline std::atomic<run_count*> unused_run_counts = nullptr;

TAPELESS_WARM inline void give_back(run_count* first) {
  if (first == nullptr) return;
  run_count* last = first;
  while (last->next != nullptr) last = last->next;
  last->next = unused_run_counts.load(std::memory_order_relaxed);
  while (!unused_run_counts.compare_exchange_weak(last->next, first, std::memory_order_release,
                                                  std::memory_order_relaxed)) {
  }
}

TAPELESS_WARM inline run_count& take_run_count() {
  run_count* const first = unused_run_counts.exchange(nullptr, std::memory_order_acquire);
  if (first == nullptr) return *new run_count;
  give_back(std::exchange(first->next, nullptr));
  return *first;
}

}  // namespace detail

/// The moment after a run. One that was made without a run is always current.
class run_stamp {
 public:
  run_stamp() = default;
  explicit run_stamp(const detail::run_count& count) : run_stamp(count, count.runs) {}
  run_stamp(const detail::run_count& count, std::uint64_t runs) : count_(&count), runs_(runs) {}

  bool is_current() const { return count_->runs == runs_; }
  /// Throws an error where the program has run again, or is gone.
  void check() const {
    if (!is_current()) [[unlikely]]
      refuse();
  }

 private:
  const detail::run_count* count_ = &detail::without_runs;
  std::uint64_t runs_ = 0;

  [[noreturn]] TAPELESS_COLD static void refuse() {
    throw_error(
        "an outdated result is read: what computed it has run again since, or is gone. Read a result before "
        "the "
        "next run, or keep it: get<\"y\">().copy()");
  }
};

/// Counts a program's runs.
class run_counter {
 public:
  run_counter() : count_(&detail::take_run_count()) {}
  ~run_counter() {
    next();
    detail::give_back(count_);
  }
  run_counter(const run_counter&) = delete;
  run_counter& operator=(const run_counter&) = delete;

  /// What was computed so far is about to change. Returns the moment after that run.
  run_stamp next() {  // one thread writes at a time
    ++count_->runs;
    return stamp();
  }
  run_stamp stamp() const { return run_stamp(*count_); }

 private:
  detail::run_count* count_;
};

}  // namespace tapeless
