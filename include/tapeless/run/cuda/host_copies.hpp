// SPDX-License-Identifier: BSL-1.0
// Copies of what a step is given to pinned memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tapeless/run/cpu/threads/thread_team.hpp>

namespace tapeless::cuda_kernels {

/// What a thread copies at least, and how many threads copy at most. One copies some 10 GB a second, a device
/// takes five times as many.
inline constexpr std::int64_t least_bytes_of_thread = 1 << 20;
inline constexpr int most_copying_threads = 8;

/// The same as std::memcpy, by several threads where that is faster.
inline void copy_on_host(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const auto worth =
      static_cast<int>(std::min<std::int64_t>(bytes / least_bytes_of_thread, most_copying_threads));
  const int parts = worth < 2 ? 1 : std::min(worth, cpu_kernels::usable_cores());
  if (parts < 2) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return;
  }
  struct whole {
    std::byte* to;
    const std::byte* from;
    std::int64_t bytes;
    int parts;
  };
  const whole all{to, from, bytes, parts};
  cpu_kernels::worker_pool::run(
      parts, {[](const void* context, int part) {
                const auto& w = *static_cast<const whole*>(context);
                const auto range = cpu_kernels::part_of(w.bytes, w.parts, part, 4096);
                std::memcpy(w.to + range.begin, w.from + range.begin, static_cast<std::size_t>(range.size));
              },
              &all});
}

}  // namespace tapeless::cuda_kernels
