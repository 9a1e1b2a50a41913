// SPDX-License-Identifier: BSL-1.0
// interruption: Ctrl-C as a question that a loop asks, in place of the program's end.
#pragma once

#include <atomic>
#include <csignal>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/system_mutex.hpp>

namespace tapeless {

namespace detail {

#if defined(__unix__) || defined(__APPLE__)
using interrupt_handling = struct sigaction;
inline interrupt_handling interrupts_handled_by() {
  interrupt_handling h = {};
  ::sigaction(SIGINT, nullptr, &h);
  return h;
}
inline void handle_interrupts_by(const interrupt_handling& h) { ::sigaction(SIGINT, &h, nullptr); }
inline bool is_handled_by(const interrupt_handling& h, void (*handler)(int)) {
  return (h.sa_flags & SA_SIGINFO) == 0 && h.sa_handler == handler;
}
inline interrupt_handling handling_by(void (*handler)(int)) {
  interrupt_handling h = {};
  h.sa_handler = handler;
  h.sa_flags = SA_RESTART;  // calls of the system go on, so that no reader sees it
  ::sigemptyset(&h.sa_mask);
  return h;
}
#else
using interrupt_handling = void (*)(int);
inline interrupt_handling interrupts_handled_by() {
  const interrupt_handling h = std::signal(SIGINT, SIG_IGN);
  std::signal(SIGINT, h);
  return h;
}
inline void handle_interrupts_by(interrupt_handling h) { std::signal(SIGINT, h); }
inline bool is_handled_by(interrupt_handling h, void (*handler)(int)) { return h == handler; }
inline interrupt_handling handling_by(void (*handler)(int)) { return handler; }
#endif

/// Who listens in this process, and how often Ctrl-C came while somebody did.
struct interrupts {
  system_mutex mutex;  // of listeners and of the handler's coming and going, but for its own going
  int listeners = 0;
  interrupt_handling before{};
  std::atomic<bool> are_caught = false;
  std::atomic<int> count = 0;

  static interrupts& all() {
    static interrupts i;
    return i;
  }

  // Called by the system, in the middle of anything: two numbers that need no lock, and a call that may be
  // made there. The second interrupt does what the first would have done before.
  TAPELESS_COLD static void handle(int) {
    interrupts& i = all();
    i.count.fetch_add(1);
    handle_interrupts_by(i.before);
    i.are_caught.store(false);
  }

  TAPELESS_COLD void add_listener() {
    const mutex_lock lock(mutex);
    ++listeners;
    if (are_caught.load()) return;
    before = interrupts_handled_by();
    if (is_handled_by(before, SIG_IGN)) return;  // as of a program in the background, which stays that way
    are_caught.store(true);
    handle_interrupts_by(handling_by(&handle));
  }
  TAPELESS_COLD void remove_listener() {
    const mutex_lock lock(mutex);
    if (--listeners > 0 || !are_caught.exchange(false)) return;
    // Where somebody has set another handler meanwhile, that one stays.
    if (is_handled_by(interrupts_handled_by(), &handle)) handle_interrupts_by(before);
  }
};

}  // namespace detail

/// While it listens, the first Ctrl-C (SIGINT) ends nothing but is noted; the second does what it would have
/// done without. Afterwards interrupts are handled as before. Any number may listen, in any threads; each
/// sees the interrupts that come while it does. Where the program ignores interrupts, as one in a shell's
/// background does, it goes on to.
class interruption {
 public:
  interruption() = default;
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;
  ~interruption() { stop_listening(); }

  void listen() {
    if (listens_) return;
    detail::interrupts& all = detail::interrupts::all();
    seen_ = all.count.load();
    all.add_listener();
    listens_ = true;
  }
  void stop_listening() {
    if (!listens_) return;
    is_requested_ = is_requested();
    listens_ = false;
    detail::interrupts::all().remove_listener();
  }

  /// Whether Ctrl-C came while it listened.
  bool is_requested() const {
    return listens_ ? detail::interrupts::all().count.load(std::memory_order_relaxed) != seen_
                    : is_requested_;
  }

 private:
  bool listens_ = false, is_requested_ = false;
  int seen_ = 0;
};

}  // namespace tapeless
