// SPDX-License-Identifier: BSL-1.0
// The threads of this process that wait for parts of kernels. All trainers share them: one at a time has
// them, and whoever finds them taken works on its own thread. A thread that has waited for some hundred
// microseconds sleeps. No locks, and nothing is allocated but where threads are started.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include <tapeless/clock.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/forks.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/cpu/threads/cores.hpp>
#include <tapeless/run/cpu/threads/denormals.hpp>
#include <tapeless/worker_thread.hpp>

namespace tapeless::cpu_kernels {

/// A part of a kernel, by its number.
struct part_task {
  void (*call)(const void* context, int part) = nullptr;
  const void* context = nullptr;
};

namespace detail {

/// In which process somebody has the pool, by the number of forks before it and 1; 0 while nobody has it. It
/// outlives the pool, which somebody has for ever after its end.
inline constinit std::atomic<unsigned> pool_holder = 0;

[[nodiscard]] inline bool take_pool() {
  const unsigned mine = forks_so_far() + 1;
  unsigned holder = pool_holder.load(std::memory_order_relaxed);
  return holder != mine && pool_holder.compare_exchange_strong(holder, mine, std::memory_order_acquire,
                                                               std::memory_order_relaxed);
}
/// How many threads of the pool are not asleep.
inline constinit std::atomic<unsigned> awake_workers = 0;

inline void give_pool_back() { pool_holder.store(0, std::memory_order_release); }

/// Lets a processor that waits for another one do so at low cost.
inline void pause() {
#if defined(__SSE__) || defined(_M_X64)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Steps follow one another sooner than a sleeping thread wakes up, which takes some 30 microseconds, 7 of
/// them the caller's; and they have small kernels between large ones. Where there are more threads than cores
/// there is no time to spend.
inline constexpr double seconds_awake = 150e-6;

/// Waits so long, or a moment longer, for the number to be 0, or not to be. Returns whether it is.
TAPELESS_COLD inline bool spins_until(const std::atomic<std::uint32_t>& number, bool is_zero,
                                      double seconds) {
  for (double end = 0;;) {
    for (int i = 0; i < 64; ++i) {
      if ((number.load(std::memory_order_acquire) == 0) == is_zero) return true;
      pause();
    }
    const double now = tapeless::detail::steady_seconds();
    if (end == 0) end = now + seconds;
    if (now >= end) return false;
  }
}

}  // namespace detail

/// Cold code, as programs are concerned: whoever comes here has tens of microseconds of work.
class worker_pool {
 public:
  /// Starts threads for so many parts, the calling thread's among them, so that no run has to; nothing where
  /// somebody has the pool.
  TAPELESS_COLD static void start(int parts) {
    if (!detail::take_pool()) return;
    undone_by(detail::give_pool_back, [&] { of_process().start_workers(parts - 1); });
    detail::give_pool_back();
  }

  /// Whether parts begin at once: a thread that sleeps costs its caller microseconds.
  static bool is_awake() { return detail::awake_workers.load(std::memory_order_relaxed) > 0; }

  /// Calls the task for part = 0 .. parts - 1, each once, and waits for all. What one of the calls throws is
  /// thrown here then; where several do, that of the first. Where the system starts fewer threads, or they
  /// have not awoken in time, the calling thread takes their parts as well.
  TAPELESS_COLD static void run(int parts, const part_task& task) {
    if (!detail::take_pool()) {
      for (int part = 0; part < parts; ++part) task.call(task.context, part);
      return;
    }
    worker_pool& pool = of_process();
    undone_by(detail::give_pool_back, [&] { pool.run_parts(parts, task); });
    detail::give_pool_back();
  }

  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;
  TAPELESS_WARM ~worker_pool() {
    while (!detail::take_pool()) detail::pause();
    process_ == forks_so_far() ? stop_workers() : forget_workers();
    while (first_ != nullptr) delete std::exchange(first_, first_->next);
  }

 private:
  enum order : std::uint32_t { rest = 0, work, end };
  struct worker {
    std::atomic<std::uint32_t> told = rest;
    worker_pool* pool = nullptr;
    int part = 0;
    worker_thread thread = {};
    worker* next = nullptr;
  };

  part_task task_;
  // The caller's way with rounding and denormals: a thread begins with that of whoever has started it.
  decltype(floating_point_mode::flags()) mode_{};
  std::atomic<std::uint32_t> unfinished_ = 0;  // parts that workers have, or are told to take
  first_exception failure_;
  worker* first_ = nullptr;
  int running_ = 0;                    // the first so many of them have threads
  bool no_more_ = false;               // the system starts no more
  unsigned process_ = forks_so_far();  // in which their threads are

  worker_pool() { watch_forks(); }
  static worker_pool& of_process() {
    static worker_pool pool;
    return pool;
  }

  TAPELESS_COLD void run_parts(int parts, const part_task& task) {
    if (running_ < parts - 1 || process_ != forks_so_far()) start_workers(parts - 1);
    const int helpers = running_ < parts - 1 ? running_ : parts - 1;
    task_ = task;
    mode_ = floating_point_mode::flags();
    unfinished_.store(static_cast<std::uint32_t>(helpers), std::memory_order_relaxed);
    for_first(helpers, [](worker& w) { tell(w, work); });
    call(0);
    for (int part = helpers + 1; part < parts; ++part) call(part);
    for_first(helpers, [this](worker& w) { take_back(w); });
    for (std::uint32_t left = unfinished_.load(std::memory_order_acquire); left != 0;
         left = unfinished_.load(std::memory_order_acquire))
      if (!detail::spins_until(unfinished_, true, seconds_awake(helpers)))
        unfinished_.wait(left, std::memory_order_acquire);
    failure_.rethrow();
  }

  static double seconds_awake(int helper) { return helper < usable_cores() ? detail::seconds_awake : 0; }

  template <class F>
  void for_first(int count, const F& f) const {
    for (worker* w = first_; count > 0; --count, w = w->next) f(*w);
  }

  // An exchange, which comes before the look at who sleeps.
  static void tell(worker& w, order what) {
    w.told.exchange(what);
    w.told.notify_one();
  }

  // Runs the part of a worker that has not begun.
  void take_back(worker& w) {
    if (!begins(w)) return;
    call(w.part);
    unfinished_.fetch_sub(1, std::memory_order_acq_rel);
  }

  // Whether it is the caller who begins the worker's part: once, whoever calls.
  static bool begins(worker& w) {
    std::uint32_t told = work;
    return w.told.compare_exchange_strong(told, rest, std::memory_order_acquire, std::memory_order_relaxed);
  }

  void call(int part) noexcept {
    failure_.guard([&] { task_.call(task_.context, part); });
  }

  TAPELESS_COLD void serve(worker& w) {
    detail::awake_workers.fetch_add(1, std::memory_order_relaxed);
    while (true) {
      if (!detail::spins_until(w.told, false, seconds_awake(w.part))) sleep(w);
      if (w.told.load(std::memory_order_acquire) == end) return;
      if (!begins(w)) continue;
      floating_point_mode::set(mode_);
      call(w.part);
      if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
    }
  }
  static void sleep(worker& w) {
    detail::awake_workers.fetch_sub(1, std::memory_order_relaxed);
    w.told.wait(rest, std::memory_order_acquire);
    detail::awake_workers.fetch_add(1, std::memory_order_relaxed);
  }
  static void serve_as(void* self) {
    auto* const w = static_cast<worker*>(self);
    w->pool->serve(*w);
  }

  // Post-condition: so many are there, or as many as the system starts.
  TAPELESS_COLD void start_workers(int count) {
    if (process_ != forks_so_far()) forget_workers();
    worker** place = &first_;
    for_first(running_, [&](worker& w) { place = &w.next; });
    for (; running_ < count && !no_more_; place = &(*place)->next) {
      if (*place == nullptr) *place = new worker;
      worker& w = **place;
      w.pool = this;
      w.part = running_ + 1;
      w.told.store(rest);
      no_more_ = w.thread.start(serve_as, &w) != 0;
      if (!no_more_) ++running_;
    }
  }

  TAPELESS_COLD void stop_workers() {
    for_first(running_, [](worker& w) { tell(w, end); });
    for_first(running_, [](worker& w) { w.thread.join(); });
    detail::awake_workers.store(0, std::memory_order_relaxed);
  }

  // Their threads are not in this process: they can neither be joined nor detached.
  TAPELESS_COLD void forget_workers() {
    for_first(running_, [](worker& w) { w.thread.forget(); });
    failure_.forget();
    detail::awake_workers.store(0, std::memory_order_relaxed);
    running_ = 0;
    no_more_ = false;
    process_ = forks_so_far();
  }
};

}  // namespace tapeless::cpu_kernels
