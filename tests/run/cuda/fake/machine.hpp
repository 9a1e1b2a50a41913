// SPDX-License-Identifier: BSL-1.0
// GPUs that are not there: their streams are queues that run late, in an order that the test chooses. Threads
// may have a device each.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
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
struct graph;

/// What happens to an event. It outlives the event's handle in the queues that it stands in.
struct event {
  int device = 0;
  stream* recorded_on = nullptr;
  std::uint64_t recorded = 0;          // the position on that stream behind the last record
  std::weak_ptr<graph> captured = {};  // in which it was recorded, and as which step
  std::size_t step = 0;
};

/// What several devices do together, each in a stream of its own, as soon as all of these have come to it.
struct joint_work {
  struct part {
    stream* at = nullptr;  // null before it is in a queue
    std::uint64_t position = 0;
    std::function<void()> send, receive;  // on the device
    bool is_called_off = false;
  };
  explicit joint_work(std::size_t size) : parts(size) {}
  std::vector<part> parts;
};

/// One thing in a queue: work, waiting for a position on another stream, or a part of joint work.
struct operation {
  const char* what = "";
  std::function<int()> run = {};  // returns a status
  stream* awaited = nullptr;
  std::uint64_t position = 0;  // on the awaited stream
  // Called when it comes into a queue, with where it is; of joint work, the part of that number.
  std::function<std::shared_ptr<joint_work>(stream&, std::uint64_t)> joins = {};
  std::size_t part = 0;
  std::shared_ptr<joint_work> with = {};
};

/// What streams recorded while they were captured: that of branch 0, and those that joined it.
struct graph {
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  struct step {
    std::size_t branch;
    operation what;
    std::size_t behind = nothing;  // the step that it waits for
  };
  std::vector<step> steps;
  std::size_t branches = 1;
  std::uint64_t number = 0;  // of the capture

  std::size_t last_of(std::size_t branch) const {
    std::size_t last = nothing;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps[i].branch == branch) last = i;
    return last;
  }
  /// Whether somebody waits for the end of each branch.
  bool is_joined() const {
    for (std::size_t b = 1; b < branches; ++b) {
      bool is_awaited = false;
      for (const step& s : steps) is_awaited = is_awaited || (s.branch != b && s.behind == last_of(b));
      if (!is_awaited) return false;
    }
    return true;
  }
};

struct stream {
  int device = 0, number = -1;  // in order of creation
  bool is_destroyed = false;
  std::deque<operation> queue;
  std::uint64_t enqueued = 0, done = 0;
  std::shared_ptr<graph> captured;
  std::size_t branch = 0;  // there
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
  bool items_backwards = false;    // the items of a kernel
  int refused_epilogues = 0;       // bits of cublasLtEpilogue_t that there are no algorithms for
  bool refuses_addresses = false;  // of the matrices of a batch
  bool free_waits = false;  // cudaFree waits for the device: it does, but memory is better not left to it
};

/// All devices of one test. Only one lives at a time.
class machine {
 public:
  explicit machine(const options& o = {}) : options_(o), random_(o.seed) {
    if (now_ != nullptr) stop("there are two machines at one time");
    now_ = this;
    device = last_error = 0;
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
  /// The graph that was launched last of those with several branches.
  const graph& last_branched() const { return branched_; }
  /// How the product that cuBLASLt was asked for last may sum in parts: bits of cublasLtReductionScheme_t.
  std::uint32_t last_sums_in_parts = 0;
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

  /// One thread at a time calls functions of CUDA.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> lock() { return std::unique_lock(mutex_); }
  /// Lets others call them meanwhile. Precondition: this thread has the lock once.
  void let_others_go_on() { changed_.wait_for(mutex_, std::chrono::microseconds(50)); }

  memory_table& memory() { return memory_; }
  static inline thread_local int device = 0;  // the current one
  static inline thread_local int last_error = 0;
  void count_handle(const char* what, int change) {
    const auto here = lock();
    handles_[what] += change;
  }

  stream* make_stream() { return make_stream(device); }
  stream* make_stream(int on) {
    streams_.push_back(std::make_unique<stream>());
    streams_.back()->device = on;
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
    if (s.captured != nullptr) return s.captured->steps.push_back({s.branch, std::move(o)});
    s.queue.push_back(std::move(o));
    ++s.enqueued;
    ++operations_;
    operation& now = s.queue.back();
    if (now.joins) now.with = now.joins(s, s.enqueued);
    now.joins = {};
    changed_.notify_all();
  }
  std::shared_ptr<graph> make_graph() {
    auto g = std::make_shared<graph>();
    g->number = ++captures_;
    return g;
  }
  /// Ends the capture of all streams that take part in it; false where it has failed.
  bool end_capture(const graph* g) {
    bool has_failed = false;
    for (const auto& s : streams_)
      if (s->captured.get() == g) {
        has_failed = has_failed || std::exchange(s->capture_failed, false);
        s->captured = nullptr;
      }
    return !has_failed;
  }
  /// Puts all steps into the queue of the stream, and into those of its branches.
  void launch(const graph& g, stream& s, std::vector<stream*>& branches) {
    if (g.branches > 1) {
      branched_ = g;
      for (graph::step& step : branched_.steps) step.what.joins = {};
    }
    while (branches.size() + 1 < g.branches) branches.push_back(make_stream(s.device));
    for (stream* b : branches) enqueue(*b, {.what = "a launch", .awaited = &s, .position = s.enqueued});
    const auto stream_of_branch = [&](std::size_t b) -> stream& { return b == 0 ? s : *branches[b - 1]; };
    std::vector<std::uint64_t> positions;
    for (const graph::step& step : g.steps) {
      stream& here = stream_of_branch(step.branch);
      operation o = step.what;
      if (step.behind != graph::nothing) {
        o.awaited = &stream_of_branch(g.steps[step.behind].branch);
        o.position = positions[step.behind];
      }
      enqueue(here, std::move(o));
      positions.push_back(here.enqueued);
    }
  }

  /// The host stands still until the stream has come so far.
  void wait(stream& s, std::uint64_t position) {
    if (s.done < position) ++waits_;
    run_until(s, position, true);
  }
  /// Whether it has come so far, now that it had some time for it.
  bool has_come(stream& s, std::uint64_t position) { return run_until(s, position, false); }

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
  std::uint64_t captures_ = 0;
  graph branched_;
  std::recursive_mutex mutex_;
  std::condition_variable_any changed_;  // a queue

  bool is_ready(const stream& s) const {
    if (s.queue.empty()) return false;
    const operation& o = s.queue.front();
    if (o.awaited != nullptr && o.awaited->done < o.position) return false;
    if (o.with == nullptr || o.with->parts[o.part].is_called_off) return true;
    for (const joint_work::part& p : o.with->parts)
      if (p.is_called_off || p.at == nullptr || p.at->done + 1 < p.position) return false;
    return true;
  }

  void run_jointly(const joint_work& work) {
    const auto on_each = [&](auto what) {
      for (const joint_work::part& p : work.parts) {
        const memory_table::opened here(memory_, p.at->device, "joint work");
        (p.*what)();
      }
    };
    if (broken_ == 0) on_each(&joint_work::part::send);
    if (broken_ == 0) on_each(&joint_work::part::receive);
    for (const joint_work::part& p : work.parts) {
      p.at->queue.pop_front();
      ++p.at->done;
    }
  }

  void run_front(stream& s) {
    if (const auto with = s.queue.front().with; with && !with->parts[s.queue.front().part].is_called_off)
      return run_jointly(*with);
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

  // Only what has to run for that: the latest legal order. False where it is somebody's turn who is not
  // there, and that is not waited for.
  bool run_until(stream& s, std::uint64_t position, bool waits) {
    while (s.done < position) {
      if (s.queue.empty()) stop("somebody waits for what was never put into a queue");
      if (is_ready(s)) {
        run_front(s);
      } else if (stream* const other = s.queue.front().awaited;
                 other && other->done < s.queue.front().position) {
        if (!run_until(*other, s.queue.front().position, waits)) return false;
      } else if (!bring_together(*std::shared_ptr(s.queue.front().with), waits)) {
        return false;
      }
    }
    return true;
  }
  bool bring_together(const joint_work& work, bool waits) {
    bool are_there = true;
    for (const joint_work::part& p : work.parts) {
      are_there = are_there && p.at != nullptr && !p.is_called_off;
      if (p.at != nullptr && p.at->done + 1 < p.position && !run_until(*p.at, p.position - 1, waits))
        return false;
    }
    if (are_there) return true;
    if (waits) let_others_go_on();
    return waits;
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
