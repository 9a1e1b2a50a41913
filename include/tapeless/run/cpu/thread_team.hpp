// SPDX-License-Identifier: BSL-1.0
// Threads that wait for work: a loop is cut into one part for each, always the same, so that the same number
// of threads gives the same bits. No locks, and nothing is allocated after the start.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include <tapeless/error.hpp>
#include <tapeless/graph/list.hpp>
#include <tapeless/run/cpu/aligned_memory.hpp>

namespace tapeless::cpu_kernels {

class thread_team {
 public:
  /// A team of `threads` threads, the calling one among them. Throws an error if that is not 1 or more.
  explicit thread_team(int threads) : size_(threads) {
    if (threads < 1) throw error({"cpu: threads is ", threads, "; it must be 1 or more"});
    workers_ = list<std::thread>(static_cast<std::size_t>(threads - 1));
    for (int part = 1; part < threads; ++part) workers_[part - 1] = std::thread([this, part] { work(part); });
  }
  ~thread_team() {
    stop_.store(true);
    start();
    for (std::thread& w : workers_) w.join();
  }
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  int size() const { return size_; }

  /// Post-condition: each thread has at least so many bytes of scratch memory.
  void reserve_workspace(std::int64_t bytes) {
    if (bytes <= workspace_bytes_) return;
    workspace_bytes_ = (bytes + 63) / 64 * 64;
    workspace_ = aligned_memory(workspace_bytes_ * size_);
  }
  std::byte* workspace(int part) const { return workspace_.data() + part * workspace_bytes_; }

  /// Calls f(part) for part = 0 .. size() - 1, each on a thread of its own, and waits for all.
  template <class F>
  void run(const F& f) {
    if (size_ == 1) return f(0);
    task_ = [](const void* context, int part) { (*static_cast<const F*>(context))(part); };
    context_ = &f;
    start();
    f(0);
    for (std::uint32_t left = left_.load(std::memory_order_acquire); left != 0;
         left = left_.load(std::memory_order_acquire))
      if (!spins([&] { return left_.load(std::memory_order_acquire) == 0; })) left_.wait(left);
  }

 private:
  int size_;
  std::int64_t workspace_bytes_ = 0;
  aligned_memory workspace_;
  void (*task_)(const void*, int) = nullptr;
  const void* context_ = nullptr;
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint32_t> round_ = 0, left_ = 0;
  list<std::thread> workers_;

  // Steps follow one another within microseconds, sooner than a sleeping thread wakes up.
  template <class Condition>
  static bool spins(Condition done) {
    for (int i = 0; i < 4000; ++i)
      if (done()) return true;
    return false;
  }

  void start() {
    left_.store(static_cast<std::uint32_t>(size_ - 1), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }

  void work(int part) {
    for (std::uint32_t seen = 0;; ++seen) {
      while (round_.load(std::memory_order_acquire) == seen)
        if (!spins([&] { return round_.load(std::memory_order_acquire) != seen; })) round_.wait(seen);
      if (stop_.load()) return;
      task_(context_, part);
      if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
    }
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
