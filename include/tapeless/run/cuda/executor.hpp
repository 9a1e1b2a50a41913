// SPDX-License-Identifier: BSL-1.0
// Starts the kernels on a GPU's stream, and knows what errors are to say about them.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include <tapeless/run/cuda/handles.hpp>
#include <tapeless/run/cuda/launch.hpp>
#include <tapeless/run/gpu/kernels/fault.hpp>

namespace tapeless::cuda_kernels {

using thrust_kernels::fault;

/// Starts kernels on one stream.
class executor {
 public:
  explicit executor(cudaStream_t stream)
      : stream_(stream),
        workspace_(device_memory(thrust_kernels::workspace_bytes, "the workspace of reductions")),
        arrived_(device_memory(thrust_kernels::most_in_parts * std::int64_t{sizeof(std::uint32_t)},
                               "the workspace of reductions")),
        faults_(device_memory(sizeof(fault), "the note of what went wrong")) {}

  /// What errors are to say about the kernels that follow.
  void begin(const activity& now) { now_ = now; }

  template <class Kernel>
  void for_each(std::int64_t count, const Kernel& kernel) {
    if (count == 0) return;
    check_launch(launch_for_each(count, kernel, stream_));
  }
  template <class Kernel>
  void by_threads(std::int64_t count, const Kernel& kernel) {
    check_launch(launch_by_threads(count, kernel, stream_));
  }
  template <class Kernel>
  void by_warps(std::int64_t count, const Kernel& kernel) {
    check_launch(launch_by_warps(count, kernel, stream_));
  }
  template <class Kernel>
  void by_blocks(std::int64_t count, const Kernel& kernel) {
    check_launch(launch_by_blocks(count, kernel, stream_));
  }
  template <class Batch>
  void by_blocks_of_batch(std::int64_t count, const Batch& batch) {
    check_launch(launch_by_blocks_of_batch(count, batch, stream_));
  }
  template <class Kernel>
  void by_tiles(std::int64_t count, int across, std::int64_t parts, const Kernel& kernel) {
    check_launch(launch_by_tiles(count, across, parts, kernel, stream_));
  }
  template <class Kernel>
  void by_phases(std::int64_t count, const Kernel& kernel) {
    check_launch(launch_by_phases(count, kernel, stream_));
  }

  /// All fused kernels of each row, by a warp or by a block for each.
  template <class RowKernels>
  void by_rows(std::int64_t count, bool by_warps, const RowKernels& kernels) {
    check_launch(by_warps ? launch_by_rows_of_warps(count, kernels, stream_)
                          : launch_by_rows_of_blocks(count, kernels, stream_));
  }

  /// The tiles of a product, each by a block.
  template <class Tiles>
  void by_products(std::int64_t count, const Tiles& tiles) {
    check_launch(launch_by_products(count, tiles, stream_));
  }

  template <class T>
  T* workspace() const {
    return static_cast<T*>(workspace_.get());
  }
  /// How many parts of a result are done; 0 between kernels.
  std::uint32_t* arrived() const { return static_cast<std::uint32_t*>(arrived_.get()); }
  /// Memory that the kernels that follow may write to, as much as they ask for.
  void lend(void* memory) { lent_memory_ = static_cast<std::byte*>(memory); }
  std::byte* lent_memory() const { return lent_memory_; }
  /// So much of it is wanted by the kernels that prepare themselves, and how much that is since it was asked
  /// for the last time.
  void want(std::int64_t bytes) { wanted_bytes_ = std::max(wanted_bytes_, bytes); }
  std::int64_t wanted_bytes() { return std::exchange(wanted_bytes_, 0); }
  /// What the kernel that follows keeps from its preparation on: a library's plan.
  void keep_in(std::shared_ptr<void>& place) { kept_ = &place; }
  std::shared_ptr<void>& kept() const { return *kept_; }
  cudaStream_t stream() const { return stream_; }
  const activity& now() const { return now_; }
  fault* faults() const { return static_cast<fault*>(faults_.get()); }

 private:
  cudaStream_t stream_;
  device_pointer workspace_, arrived_, faults_;
  std::byte* lent_memory_ = nullptr;
  std::int64_t wanted_bytes_ = 0;
  std::shared_ptr<void>* kept_ = nullptr;
  activity now_;

  void check_launch(cudaError_t status) const { check(status, "a kernel's launch", now_); }
};

}  // namespace tapeless::cuda_kernels
