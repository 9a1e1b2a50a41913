// SPDX-License-Identifier: BSL-1.0
// How many cores this process may use.
#pragma once

#include <algorithm>
#include <cstdio>

#include <tapeless/graph/core/compiler.hpp>

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#elif defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#else
#include <thread>
#endif

namespace tapeless::cpu_kernels {

namespace detail {

#if defined(__linux__)

/// The numbers at the start of a file of the system's, at most Most; fewer where it has fewer.
template <int Most>
TAPELESS_COLD int read_numbers(const char* path, const char* format, long long (&numbers)[Most]) {
  static_assert(Most <= 2);
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return 0;
  const int read = std::fscanf(file, format, &numbers[0], &numbers[Most - 1]);
  std::fclose(file);
  return read;
}

/// The processors that this process may run on, those of one core as one: two of them multiply no faster. All
/// that there are where they are more than a cpu_set_t has.
TAPELESS_COLD inline int allowed_cores() {
  cpu_set_t allowed, cores;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  CPU_ZERO(&cores);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    char path[96];
    std::snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    long long first[1] = {cpu};
    read_numbers(path, "%lld", first);
    CPU_SET(first[0] >= 0 && first[0] < CPU_SETSIZE ? static_cast<int>(first[0]) : cpu, &cores);
  }
  return CPU_COUNT(&cores);
}

/// The cores whose time a container gets; 0 where it gets that of all.
TAPELESS_COLD inline int granted_cores() {
  long long quota_and_period[2] = {};
  if (read_numbers("/sys/fs/cgroup/cpu.max", "%lld %lld", quota_and_period) != 2) return 0;  // "max", or none
  const auto [quota, period] = quota_and_period;
  return quota > 0 && period > 0 ? static_cast<int>(std::clamp(quota / period, 1LL, 4096LL)) : 0;
}

TAPELESS_COLD inline int count_cores() {
  const int allowed = std::max(allowed_cores(), 1), granted = granted_cores();
  return granted == 0 ? allowed : std::min(allowed, granted);
}

#elif defined(__unix__) || defined(__APPLE__)

TAPELESS_COLD inline int count_cores() {
  return std::max(static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)), 1);
}

#else

TAPELESS_COLD inline int count_cores() {
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

#endif

}  // namespace detail

/// The cores that this process may run on, as they were at the first call: at least 1.
inline int usable_cores() {
  static const int cores = detail::count_cores();
  return cores;
}

}  // namespace tapeless::cpu_kernels
