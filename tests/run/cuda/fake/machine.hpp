// SPDX-License-Identifier: BSL-1.0
// GPUs that are not there: their streams are queues that run late, in an order that the test chooses.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "memory.hpp"

namespace fake_cuda {

struct stream;

/// What happens to an event. It outlives the event's handle in the queues that it stands in.
struct event {
  int device = 0;
  stream* recorded_on = nullptr;
  std::uint64_t recorded = 0;  // the position on that stream behind the last record
};

/// One thing in a queue: work, or waiting for a position on another stream.
struct operation {
  const char* what = "";
  std::function<int()> run = {};  // returns a status
  stream* awaited = nullptr;
  std::uint64_t position = 0;  // on the awaited stream
};

/// What a stream recorded while it was captured.
struct graph {
  std::vector<operation> operations;
};

struct stream {
  int device = 0, number = -1;  // in order of creation
  bool is_destroyed = false;
  std::deque<operation> queue;
  std::uint64_t enqueued = 0, done = 0;
  std::unique_ptr<graph> captured;
  std::thread::id captured_by;
  bool capture_failed = false;
};

/// When a queue advances that nobody waits for.
enum class order { never, at_once, even_streams, odd_streams, random };

struct options {
  order when = order::never;
  std::uint32_t seed = 0;
  int devices = 1;
  int driver = 13000;
  std::size_t memory = std::size_t{1} << 30;
  bool items_backwards = false;  // the items of a kernel
  int refused_epilogues = 0;     // bits of cublasLtEpilogue_t that there are no algorithms for
  bool free_waits = false;  // cudaFree waits for the device: it does, but memory is better not left to it
};

/// All devices of one test. Only one lives at a time.
class machine {
 public:
  explicit machine(const options& o = {}) : options_(o), random_(o.seed) {
    if (now_ != nullptr) stop("there are two machines at one time");
    now_ = this;
    for (int d = 0; d < o.devices; ++d) {
      legacy_.emplace_back();
      legacy_.back().device = d;
    }
  }
  ~machine() { now_ = nullptr; }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  static machine& now() {
    if (now_ == nullptr) stop("CUDA is called, but the test has no machine");
    return *now_;
  }

  // What tests ask for.

  /// The n-th call of that function from now on does nothing but fail.
  void fail(const std::string& function, int n, int status) {
    failures_[function] = {calls(function) + n, status};
  }
  /// The n-th operation of that name from now on fails when it runs.
  void fail_when_run(const std::string& what, int n, int status) { late_failures_[what] = {n, status}; }
  int calls(const std::string& function) const {
    const auto found = calls_.find(function);
    return found == calls_.end() ? 0 : found->second;
  }
  /// How often the host has stood still because something was not done yet.
  int waits() const { return waits_; }
  /// Operations that have been put into queues.
  int operations() const { return operations_; }
  /// Runs all queues of a device to their ends.
  void finish(int on) {
    for (stream& s : legacy_)
      if (s.device == on) wait(s, s.enqueued);
    for (const auto& s : streams_)
      if (s->device == on) wait(*s, s->enqueued);
  }
  /// What was not given back: empty where all was.
  std::string not_given_back() const {
    std::string list;
    for (int d = pinned; d < options_.devices; ++d)
      if (memory_.in_use(d) != 0)
        list += std::to_string(memory_.in_use(d)) + " bytes of " + name_of_device(d) + "; ";
    for (const auto& [what, count] : handles_)
      if (count != 0) list += std::to_string(count) + " of " + what + "; ";
    return list;
  }
  const options& settings() const { return options_; }

  // What the functions of CUDA are made of.

  memory_table& memory() { return memory_; }
  int device = 0;  // the current one
  int last_error = 0;
  void count_handle(const char* what, int change) { handles_[what] += change; }

  stream* make_stream() {
    streams_.push_back(std::make_unique<stream>());
    streams_.back()->device = device;
    streams_.back()->number = static_cast<int>(streams_.size()) - 1;
    return streams_.back().get();
  }
  stream& stream_of(stream* handle) {
    if (handle == nullptr) return legacy_[static_cast<std::size_t>(device)];
    if (handle->is_destroyed) stop("a stream is used that was destroyed");
    return *handle;
  }
  /// Whether this thread captures, or any does.
  bool is_capturing() const {
    for (const auto& s : streams_)
      if (s->captured != nullptr && s->captured_by == std::this_thread::get_id()) return true;
    return false;
  }
  bool anybody_captures() const {
    for (const auto& s : streams_)
      if (s->captured != nullptr) return true;
    return false;
  }
  void spoil_captures() {
    for (const auto& s : streams_) s->capture_failed = s->captured != nullptr;
  }

  void enqueue(stream& s, operation o) {
    if (s.captured != nullptr) return s.captured->operations.push_back(std::move(o));
    s.queue.push_back(std::move(o));
    ++s.enqueued;
    ++operations_;
  }

  /// The host stands still until the stream has come so far.
  void wait(stream& s, std::uint64_t position) {
    if (s.done < position) ++waits_;
    run_until(s, position);
  }

  /// What devices do while the host goes on.
  void go_on() {
    switch (options_.when) {
      case order::never:
        return;
      case order::at_once:
        return run_ready([](const stream&) { return true; });
      case order::even_streams:
        return run_ready([](const stream& s) { return s.number % 2 == 0; });
      case order::odd_streams:
        return run_ready([](const stream& s) { return s.number % 2 == 1; });
      case order::random:
        for (std::uint32_t n = random_() % 4; n > 0; --n) run_one_of_them();
    }
  }
  bool chance() { return options_.when == order::random && random_() % 2 == 0; }

  /// Counts the call, and says how it must fail: 0 where it need not.
  int begin(const char* function) {
    const int number = ++calls_[function];
    if (const auto found = failures_.find(function);
        found != failures_.end() && found->second.first == number)
      return found->second.second;
    return 0;
  }
  /// The status that everything fails with, once an operation has failed; 0 before.
  int broken() const { return broken_; }

 private:
  static inline machine* now_ = nullptr;

  options options_;
  std::mt19937 random_;
  memory_table memory_;
  std::deque<stream> legacy_;  // one for each device: what is given no stream
  std::vector<std::unique_ptr<stream>> streams_;
  std::map<std::string, int> calls_, handles_;
  std::map<std::string, std::pair<int, int>> failures_, late_failures_;
  int waits_ = 0, operations_ = 0, broken_ = 0;

  bool is_ready(const stream& s) const {
    if (s.queue.empty()) return false;
    const operation& o = s.queue.front();
    return o.awaited == nullptr || o.awaited->done >= o.position;
  }

  void run_front(stream& s) {
    const operation o = std::move(s.queue.front());
    s.queue.pop_front();
    if (o.run && broken_ == 0) {
      const memory_table::opened here(memory_, s.device, o.what);
      broken_ = o.run();
      if (const auto found = late_failures_.find(o.what);
          found != late_failures_.end() && --found->second.first == 0)
        broken_ = found->second.second;
    }
    ++s.done;
  }

  // Only what has to run for that: the latest legal order.
  void run_until(stream& s, std::uint64_t position) {
    while (s.done < position) {
      if (s.queue.empty()) stop("somebody waits for what was never put into a queue");
      if (!is_ready(s)) run_until(*s.queue.front().awaited, s.queue.front().position);
      run_front(s);
    }
  }

  template <class Wanted>
  void run_ready(Wanted wanted) {
    for (bool any = true; any;) {
      any = false;
      const auto run = [&](stream& s) {
        while (wanted(s) && is_ready(s)) {
          run_front(s);
          any = true;
        }
      };
      for (stream& s : legacy_) run(s);
      for (const auto& s : streams_) run(*s);
    }
  }
  void run_one_of_them() {
    std::vector<stream*> ready;
    for (stream& s : legacy_)
      if (is_ready(s)) ready.push_back(&s);
    for (const auto& s : streams_)
      if (is_ready(*s)) ready.push_back(s.get());
    if (!ready.empty()) run_front(*ready[random_() % ready.size()]);
  }
};

}  // namespace fake_cuda
