// SPDX-License-Identifier: BSL-1.0
// Reads batches, the next one while the one before is computed with. What comes does not depend on when.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <tapeless/data/source.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/cpu/forks.hpp>
#include <tapeless/run/cpu/worker_thread.hpp>

namespace tapeless::data {

/// Batches from a source, into two memories in turn. Sources whose samples are in memory, and those that must
/// be read by the caller, are read when the batch is asked for. For others a thread is started when a batch
/// is first expected; where the system has none to give, they are read by the caller, too. It belongs to one
/// thread at a time.
class read_ahead {
 public:
  /// The columns of the memory are read.
  TAPELESS_WARM read_ahead(const source& from, batch_memory memory)
      : from_(from), memory_(std::move(memory)), may_run_ahead_(from.reader() == reader::runs_ahead) {}
  TAPELESS_WARM ~read_ahead() {
    if (ahead_ != nullptr) stop();
  }
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;

  /// The samples with these numbers, in that pass; valid until the next call. Throws what the source throws,
  /// on this thread, if these samples are the ones that it threw for.
  [[gnu::noinline]] batch_memory& read(array_view<const std::int64_t> samples, std::int64_t pass) {
    if (ahead_ == nullptr || !take_expected(samples, pass)) read_into(memory_, from_, samples, pass);
    return memory_;
  }

  /// Whether there is, or will be, a thread for that.
  bool runs_ahead() const { return may_run_ahead_; }
  /// The batch that is probably asked for next. What `read` gives does not depend on it.
  [[gnu::noinline]] void expect(array_view<const std::int64_t> samples, std::int64_t pass) {
    if (may_run_ahead_) begin(samples, pass);
  }

 private:
  struct state {
    explicit state(const source& s) : from(s) {}
    const source from;
    batch_memory memory;
    std::vector<std::int64_t> samples;
    std::int64_t pass = 0;
    bool is_expected = false;
    std::atomic<std::uint32_t> begun = 0, done = 0;
    std::atomic<bool> stop = false;
    first_exception failure;
    cpu_kernels::worker_thread thread;
    unsigned process = 0;
  };
  const source from_;
  batch_memory memory_;
  bool may_run_ahead_;
  std::unique_ptr<state> ahead_;

  static void read_into(batch_memory& memory, const source& from, array_view<const std::int64_t> samples,
                        std::int64_t pass) {
    memory.resize(static_cast<std::int64_t>(samples.size()), pass);
    batch into(memory);
    from.read(samples, into);
  }

  static void work(void* context) {
    state& s = *static_cast<state*>(context);
    for (std::uint32_t seen = 0;; ++seen) {
      s.begun.wait(seen, std::memory_order_acquire);
      if (s.stop.load(std::memory_order_relaxed)) return;
      s.failure.guard([&] { read_into(s.memory, s.from, s.samples, s.pass); });
      s.done.store(seen + 1, std::memory_order_release);
      s.done.notify_one();
    }
  }

  // Post-condition: the thread waits.
  static void wait_for(state& s) {
    const std::uint32_t begun = s.begun.load(std::memory_order_relaxed);
    for (std::uint32_t done = s.done.load(std::memory_order_acquire); done != begun;
         done = s.done.load(std::memory_order_acquire))
      s.done.wait(done, std::memory_order_acquire);
  }

  void begin(array_view<const std::int64_t> samples, std::int64_t pass) {
    if (ahead_ == nullptr && !start()) return;
    state& s = *ahead_;
    if (s.process != cpu_kernels::forks_so_far()) return leave_behind();
    if (s.is_expected) wait_for(s);
    s.is_expected = false;
    s.failure.forget();
    s.samples.assign(samples.begin(), samples.end());
    s.pass = pass;
    s.is_expected = true;
    s.begun.fetch_add(1, std::memory_order_release);
    s.begun.notify_one();
  }

  bool take_expected(array_view<const std::int64_t> samples, std::int64_t pass) {
    state& s = *ahead_;
    if (s.process != cpu_kernels::forks_so_far()) return leave_behind(), false;
    if (!s.is_expected) return false;
    wait_for(s);
    s.is_expected = false;
    if (s.pass != pass || s.samples.size() != samples.size() ||
        !std::equal(samples.begin(), samples.end(), s.samples.begin()))
      return s.failure.forget(), false;
    s.failure.rethrow();
    std::swap(memory_, s.memory);
    return true;
  }

  [[gnu::cold]] bool start() {
    cpu_kernels::watch_forks();
    auto made = std::make_unique<state>(from_);
    for (const batch_column& c : memory_.columns())
      if (c.is_asked_for) made->memory.add(c.description);
    made->process = cpu_kernels::forks_so_far();
    may_run_ahead_ = made->thread.start(work, made.get()) == 0;
    if (may_run_ahead_) ahead_ = std::move(made);
    return may_run_ahead_;
  }

  [[gnu::cold]] void stop() {
    if (ahead_->process != cpu_kernels::forks_so_far()) return leave_behind();
    wait_for(*ahead_);
    ahead_->stop.store(true, std::memory_order_relaxed);
    ahead_->begun.fetch_add(1, std::memory_order_release);
    ahead_->begun.notify_one();
    ahead_->thread.join();
  }

  // In a process that was forked there is no thread, and what it was doing is not known.
  [[gnu::cold]] void leave_behind() {
    ahead_->thread.forget();
    static_cast<void>(ahead_.release());
    may_run_ahead_ = false;
  }
};

}  // namespace tapeless::data
