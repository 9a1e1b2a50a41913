// SPDX-License-Identifier: BSL-1.0
// How many cores there are where the system has more processors than a cpu_set_t: 1025, say.
#include <tapeless/run/cpu/threads/cores.hpp>

#include "catch.hpp"

#if defined(__linux__)
#include <cerrno>

// Stands in for the system's, which fails in this way.
extern "C" int sched_getaffinity(pid_t, std::size_t, cpu_set_t*) noexcept {
  errno = EINVAL;
  return -1;
}

TEST_CASE("on more processors than a cpu_set_t has all of them count, or what a container grants") {
  namespace k = tapeless::cpu_kernels;
  const auto all = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  const int granted = k::detail::granted_cores();
  CHECK(k::usable_cores() == (granted == 0 ? all : std::min(all, granted)));
}
#endif
