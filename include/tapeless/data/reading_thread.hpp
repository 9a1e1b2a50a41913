// SPDX-License-Identifier: BSL-1.0
// A thread that reads the next batch of a source while the one before is computed with. Programs whose
// samples are all in memory compile nothing of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include <tapeless/data/source.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/forks.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/worker_thread.hpp>

namespace tapeless::data::detail {

/// Its functions are cold: of others that are a class's only ones GCC assumes that a call means them, and
/// compiles them into every program.
class reading_thread final : public batches_ahead {
 public:
  /// Null where the system has no thread to give.
  TAPELESS_COLD static sole_owner<batches_ahead> start(const source& from, batch_memory& like) {
    watch_forks();
    auto* const thread = new reading_thread(from);
    sole_owner<batches_ahead> made(thread);
    state& s = *thread->state_;
    for (const batch_column& c : like.columns())
      if (c.is_asked_for) s.memory.add(c.description);
    s.process = forks_so_far();
    if (s.thread.start(work, &s) != 0) made.reset();
    return made;
  }
  TAPELESS_COLD ~reading_thread() override {
    if (!is_there()) return;
    wait_for(*state_);
    state_->stop.store(true, std::memory_order_relaxed);
    state_->begun.fetch_add(1, std::memory_order_release);
    state_->begun.notify_one();
    state_->thread.join();
    delete state_;
  }

  // In a process that was forked there is no thread, and what it was doing is not known: that is left behind.
  TAPELESS_COLD bool is_there() const override {
    return state_ != nullptr && state_->process == forks_so_far();
  }

  TAPELESS_COLD void expect(array_view<const std::int64_t> samples, std::int64_t pass) override {
    state& s = *state_;
    if (s.is_expected) wait_for(s);
    s.is_expected = false;
    s.failure.forget();
    s.samples.assign(samples.begin(), samples.end());
    s.pass = pass;
    s.is_expected = true;
    s.begun.fetch_add(1, std::memory_order_release);
    s.begun.notify_one();
  }

  TAPELESS_COLD bool take(array_view<const std::int64_t> samples, std::int64_t pass,
                          batch_memory& into) override {
    state& s = *state_;
    if (!s.is_expected) return false;
    wait_for(s);
    s.is_expected = false;
    if (s.pass != pass || s.samples.size() != samples.size() ||
        !std::equal(samples.begin(), samples.end(), s.samples.begin()))
      return s.failure.forget(), false;
    s.failure.rethrow();
    std::swap(into, s.memory);
    return true;
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
    worker_thread thread;
    unsigned process = 0;
  };
  state* state_;  // owned, where the thread is

  explicit reading_thread(const source& from) : state_(new state(from)) {}

  static void work(void* context) {
    state& s = *static_cast<state*>(context);
    for (std::uint32_t seen = 0;; ++seen) {
      s.begun.wait(seen, std::memory_order_acquire);
      if (s.stop.load(std::memory_order_relaxed)) return;
      s.failure.guard([&] { s.from.read_into(s.memory, s.samples, s.pass); });
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
};

TAPELESS_COLD inline sole_owner<batches_ahead> start_reading_thread(const source& from, batch_memory& like) {
  return reading_thread::start(from, like);
}

}  // namespace tapeless::data::detail
