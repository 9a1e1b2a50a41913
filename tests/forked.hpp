// SPDX-License-Identifier: BSL-1.0
// Child processes of a test: what is to be seen after a fork, or under limits that this process is not to
// have.
#pragma once

#if defined(__unix__) || defined(__APPLE__)
#define TEST_HAS_FORK 1

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>

#include "sanitizers.hpp"

namespace test {

/// What f returns in a child process, which ends with it; -1 where it dies of something else, such as taking
/// a minute, and 99 where f throws.
template <class F>
int in_child(F f) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    int verdict = 99;
    try {
      verdict = f();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "in a child process: %s\n", e.what());
    }
    ::_exit(verdict);
  }
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// This process may have so many bytes of addresses from now on.
inline void limit_addresses(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
}

/// The threads of this process; 1 where the system does not list them.
inline std::ptrdiff_t count_threads() {
  std::error_code none;
  const std::filesystem::directory_iterator tasks("/proc/self/task", none);
  return none ? 1 : std::distance(begin(tasks), end(tasks));
}

}  // namespace test

#endif
