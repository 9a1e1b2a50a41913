// SPDX-License-Identifier: BSL-1.0
// Threads that wait for work. A loop is cut into one part for each thread, always the same way, so that the
// same number of threads gives the same bits. No locks, and nothing is allocated after the start. A team
// belongs to one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <system_error>

#include <tapeless/error.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/run/cpu/aligned_memory.hpp>
#include <tapeless/run/cpu/denormals.hpp>
#include <tapeless/run/cpu/forks.hpp>
#include <tapeless/run/cpu/worker_thread.hpp>

namespace tapeless::cpu_kernels {

class thread_team {
 public:
  static constexpr int most_threads = 4096;  // more than any machine's: what is above is a mistake

  /// A team of `threads` threads, the calling one among them. Throws an error if there are none or more than
  /// most_threads, or if the system does not start as many.
  explicit thread_team(int threads) : size_(threads) {
    if (threads < 1 || threads > most_threads)
      throw_error({"cpu: threads is ", threads, "; it must be from 1 to ", most_threads});
    if (threads > 1) start_workers();
  }
  TAPELESS_WARM ~thread_team() { process_ == forks_so_far() ? stop_workers() : forget_workers(); }
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  int size() const { return size_; }

  /// Whether the other threads flush denormal numbers from now on; the calling one does as its caller does.
  void flush_denormals(bool on) { flushes_denormals_ = on; }

  /// Post-condition: each thread has at least so many bytes of scratch memory.
  void reserve_workspace(std::int64_t bytes) {
    if (bytes <= workspace_bytes_) return;
    const std::int64_t each = (bytes + 63) / 64 * 64;
    workspace_ = aligned_memory(each * size_);
    workspace_bytes_ = each;  // not before: where there is no memory, all stays as it was
  }
  std::byte* workspace(int part) const { return workspace_.data() + part * workspace_bytes_; }

  /// Calls f(part) for part = 0 .. size() - 1, each on a thread of its own, and waits for all. What one of
  /// the calls throws is thrown here then; where several do, that of the first. In a process that was forked
  /// the threads are started again, which throws an error where it cannot be done.
  template <class F>
  void run(const F& f) {
    if (size_ == 1) return f(0);
    run_task([](const void* context, int part) { (*static_cast<const F*>(context))(part); }, &f);
  }

 private:
  int size_;
  std::int64_t workspace_bytes_ = 0;
  aligned_memory workspace_;
  bool flushes_denormals_ = false;
  void (*task_)(const void*, int) = nullptr;
  const void* context_ = nullptr;
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint32_t> round_ = 0, left_ = 0;
  first_exception failure_;
  struct worker {
    thread_team* team = nullptr;
    int part = 0;
    worker_thread thread = {};
  };
  list<worker> workers_;
  unsigned process_ = forks_so_far();  // in which the workers are

  // Steps follow one another within microseconds, sooner than a sleeping thread wakes up.
  template <class Condition>
  static bool spins(Condition done) {
    for (int i = 0; i < 4000; ++i)
      if (done()) return true;
    return false;
  }

  void run_task(void (*task)(const void*, int), const void* context) {
    if (process_ != forks_so_far()) start_again();
    task_ = task;
    context_ = context;
    begin_round();
    call(0);
    for (std::uint32_t left = left_.load(std::memory_order_acquire); left != 0;
         left = left_.load(std::memory_order_acquire))
      if (!spins([&] { return left_.load(std::memory_order_acquire) == 0; })) left_.wait(left);
    failure_.rethrow();
  }

  void begin_round() {
    left_.store(static_cast<std::uint32_t>(size_ - 1), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }

  void call(int part) noexcept {
    failure_.guard([&] { task_(context_, part); });
  }

  void work(int part) {
    for (std::uint32_t seen = 0;; ++seen) {
      while (round_.load(std::memory_order_acquire) == seen)
        if (!spins([&] { return round_.load(std::memory_order_acquire) != seen; })) round_.wait(seen);
      if (stop_.load()) return;
      const flushed_denormals mode(flushes_denormals_);
      call(part);
      if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
    }
  }

  static void work_of(void* self) {
    const auto* w = static_cast<const worker*>(self);
    w->team->work(w->part);
  }

  // Post-condition: all wait for their first round; or, after an exception, none is there.
  [[gnu::cold]] void start_workers() {
    watch_forks();
    stop_.store(false);
    round_.store(0);
    workers_ = list<worker>(static_cast<std::size_t>(size_ - 1));
    for (int part = 1; part < size_; ++part) {
      worker& w = workers_[part - 1];
      w.team = this;
      w.part = part;
      if (const int code = w.thread.start(work_of, &w); code != 0) {
        stop_workers();
        throw_error({"cpu: thread ", part + 1, " of ", size_,
                     " cannot be started: ", std::generic_category().message(code)});
      }
    }
    process_ = forks_so_far();
  }

  [[gnu::cold]] void stop_workers() {
    stop_.store(true);
    begin_round();
    for (worker& w : workers_) w.thread.join();
    workers_ = {};
  }

  // The handles of threads that are not in this process: they can neither be joined nor detached.
  [[gnu::cold]] void forget_workers() {
    for (worker& w : workers_) w.thread.forget();
  }

  [[gnu::cold]] void start_again() {
    forget_workers();
    start_workers();
  }
};

/// Part number `part` of `count` items in `parts` parts, each but the last a multiple of `grain` long.
struct range_part {
  std::int64_t begin, size;
};
constexpr range_part part_of(std::int64_t count, int parts, int part, std::int64_t grain) {
  const std::int64_t grains = (count + grain - 1) / grain;
  const std::int64_t begin = grains * part / parts * grain, end = grains * (part + 1) / parts * grain;
  const std::int64_t last = end < count ? end : count;
  return {begin < last ? begin : last, begin < last ? last - begin : 0};
}

}  // namespace tapeless::cpu_kernels
