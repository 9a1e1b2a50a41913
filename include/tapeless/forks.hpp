// SPDX-License-Identifier: BSL-1.0
// Whether this process is another one than before: after a fork only the thread that forked is there.
#pragma once

#include <atomic>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

namespace detail {

inline std::atomic<unsigned> forks = 0;

}  // namespace detail

/// How many forks this process has come out of, since the first call of watch_forks.
inline unsigned forks_so_far() { return detail::forks.load(std::memory_order_relaxed); }

/// Forks are counted from now on, in the child.
TAPELESS_COLD inline void watch_forks() {
#if defined(__unix__) || defined(__APPLE__)
  static const bool watched = [] {
    const auto count = [] { detail::forks.fetch_add(1, std::memory_order_relaxed); };
    if (pthread_atfork(nullptr, nullptr, count) != 0)
      throw_bad_alloc("there is not enough memory to watch for forks");
    return true;
  }();
  static_cast<void>(watched);
#endif
}

}  // namespace tapeless
