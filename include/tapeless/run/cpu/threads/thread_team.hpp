// SPDX-License-Identifier: BSL-1.0
// The threads that a trainer's kernels may take, of those that the process has. A kernel is cut into parts of
// about equal size, as many as its work is worth; what it computes does not depend on how many they are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/run/cpu/threads/cores.hpp>
#include <tapeless/run/cpu/threads/worker_pool.hpp>
#include <tapeless/run/cpu/vectors/aligned_memory.hpp>

namespace tapeless::cpu_kernels {

/// Nanoseconds of work that a thread gets at least: it takes some to start with it. Tests set it to 0, so
/// that small kernels are cut, too.
inline double least_nanoseconds = 10000;

/// What kernels may do, as the policy says.
struct kernel_options {
  bool winograd = true;  // see tl::cpu
};

class thread_team {
 public:
  static constexpr int most_threads = 4096;  // more than any machine's: what is above is a mistake

  /// A team of at most `threads` threads, the calling one among them; 0 stands for all cores.
  explicit thread_team(int threads, kernel_options options = {}) : threads_(threads), options_(options) {
    if (threads < 0 || threads > most_threads)
      throw_error({"cpu: threads is ", threads, "; it must be from 1 to ", most_threads,
                   ", or 0 for as many as there are cores"});
  }
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  const kernel_options& options() const { return options_; }
  /// Whether it was made for the calling thread alone.
  bool is_single() const { return threads_ == 1; }
  int size() const { return threads_ == 0 ? usable_cores() : threads_; }

  /// Below so many elements no fused kernel is worth a second thread.
  std::int64_t least_elements() const {
    return threads_ == 1 ? std::numeric_limits<std::int64_t>::max()
                         : static_cast<std::int64_t>(least_nanoseconds / 4);
  }
  /// How many threads so much work is worth.
  int threads_for(double nanoseconds) const {
    if (threads_ == 1 || nanoseconds < 2 * least_nanoseconds) return 1;
    const int most = size();
    return nanoseconds < most * least_nanoseconds ? static_cast<int>(nanoseconds / least_nanoseconds) : most;
  }

  /// Post-condition: each of so many parts has at least so many bytes of scratch memory, and there are
  /// threads for them.
  void reserve_workspace(std::int64_t bytes, int parts) {
    if (parts > 1) worker_pool::start(parts);
    if (bytes <= workspace_bytes_ && parts <= workspaces_) return;
    const std::int64_t each = std::max(tapeless::detail::aligned(bytes), workspace_bytes_);
    const int count = std::max(parts, workspaces_);
    workspace_ = aligned_memory(each * count);
    workspace_bytes_ = each;  // not before: where there is no memory, all stays as it was
    workspaces_ = count;
  }
  std::byte* workspace(int part) const { return workspace_.data() + part * workspace_bytes_; }

  /// Calls f(part) for part = 0 .. parts - 1, and waits for all; see worker_pool::run.
  template <class F>
  void run(int parts, const F& f) const {
    if (parts <= 1) return f(0);
    worker_pool::run(parts,
                     {[](const void* context, int part) { (*static_cast<const F*>(context))(part); }, &f});
  }

 private:
  int threads_, workspaces_ = 0;
  kernel_options options_;
  std::int64_t workspace_bytes_ = 0;
  aligned_memory workspace_;
};

/// Part number `part` of `count` items in `parts` parts, each but the last a multiple of `grain` long.
struct range_part {
  std::int64_t begin, size;
};
constexpr range_part part_of(std::int64_t count, int parts, int part, std::int64_t grain) {
  const std::int64_t grains = (count + grain - 1) / grain;
  const std::int64_t begin = grains * part / parts * grain, end = grains * (part + 1) / parts * grain;
  const std::int64_t last = end < count ? end : count;
  return {begin < last ? begin : last, begin < last ? last - begin : 0};
}

}  // namespace tapeless::cpu_kernels
