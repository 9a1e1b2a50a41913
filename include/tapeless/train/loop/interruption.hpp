// SPDX-License-Identifier: BSL-1.0
// interruption: Ctrl-C and SIGTERM as a question that a loop asks, in place of the program's end.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/system_mutex.hpp>

namespace tapeless {

namespace detail {

#if defined(__unix__) || defined(__APPLE__)
using interrupt_handling = struct sigaction;
inline interrupt_handling handling_of(int signal) {
  interrupt_handling h = {};
  ::sigaction(signal, nullptr, &h);
  return h;
}
inline void set_handling(int signal, const interrupt_handling& h) { ::sigaction(signal, &h, nullptr); }
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
inline interrupt_handling handling_of(int signal) {
  const interrupt_handling h = std::signal(signal, SIG_IGN);
  std::signal(signal, h);
  return h;
}
inline void set_handling(int signal, interrupt_handling h) { std::signal(signal, h); }
inline bool is_handled_by(interrupt_handling h, void (*handler)(int)) { return h == handler; }
inline interrupt_handling handling_by(void (*handler)(int)) { return handler; }
#endif

/// Who listens in this process, and how often Ctrl-C or SIGTERM came while somebody did.
struct interrupts {
  struct caught_signal {
    int number;
    interrupt_handling before{};
    std::atomic<bool> is_caught = false;
  };
  system_mutex mutex;  // of listeners and of handlers' coming and going, but for their own going
  int listeners = 0;
  std::array<caught_signal, 2> signals{{{SIGINT}, {SIGTERM}}};
  std::atomic<int> count = 0;

  static interrupts& all() {
    static interrupts i;
    return i;
  }

  // Called by the system, in the middle of anything: numbers that need no lock, and a call that may be made
  // there. The second one of a kind does what the first would have done before. Of the other kind it is a
  // first one: launchers send SIGTERM behind a SIGINT that ranks have had from the terminal.
  TAPELESS_COLD static void handle(int number) {
    interrupts& i = all();
    i.count.fetch_add(1);
    for (caught_signal& s : i.signals)
      if (s.number == number) {
        set_handling(number, s.before);
        s.is_caught.store(false);
      }
  }

  TAPELESS_COLD void add_listener() {
    const mutex_lock lock(mutex);
    ++listeners;
    for (caught_signal& s : signals) {
      if (s.is_caught.load()) continue;
      s.before = handling_of(s.number);
      if (is_handled_by(s.before, SIG_IGN)) continue;  // as of a program in the background, which stays so
      s.is_caught.store(true);
      set_handling(s.number, handling_by(&handle));
    }
  }
  TAPELESS_COLD void remove_listener() {
    const mutex_lock lock(mutex);
    if (--listeners > 0) return;
    // Where somebody has set another handler meanwhile, that one stays.
    for (caught_signal& s : signals)
      if (s.is_caught.exchange(false) && is_handled_by(handling_of(s.number), &handle))
        set_handling(s.number, s.before);
  }
};

}  // namespace detail

/// While it listens, the first Ctrl-C (SIGINT) ends nothing but is noted, and so is the first SIGTERM, which
/// mpirun, Slurm, docker stop and systemd send; the second of a kind does what it would have done without.
/// Afterwards both are handled as before. Any number may listen, in any threads; each sees the interrupts
/// that come while it does. Where the program ignores one of the two, as one in a shell's background does
/// Ctrl-C, it goes on to.
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

  /// Whether Ctrl-C or SIGTERM came while it listened.
  bool is_requested() const {
    return listens_ ? detail::interrupts::all().count.load(std::memory_order_relaxed) != seen_
                    : is_requested_;
  }

 private:
  bool listens_ = false, is_requested_ = false;
  int seen_ = 0;
};

}  // namespace tapeless
