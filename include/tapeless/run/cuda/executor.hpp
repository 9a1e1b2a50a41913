// SPDX-License-Identifier: BSL-1.0
// Starts the kernels on a GPU's stream, and knows what errors are to say about them.
#pragma once

#include <tapeless/run/cuda/handles.hpp>
#include <tapeless/run/cuda/launch.hpp>
#include <tapeless/run/thrust/fault.hpp>

namespace tapeless::cuda_kernels {

using thrust_kernels::fault;

/// A warp or a block that runs the passes of one row: each pass is done, and its results can be seen by all
/// members, before the next one starts.
template <int Members>
struct row_team {
  static constexpr int per_block = largest_team / Members;
  int number, member;  // of the team in its block, of the thread in its team

  template <class Pass>
  __device__ void run(const Pass& pass, std::uint32_t item) const {
    using partial = typename Pass::partial;
    partial sum;
    sum.begin();
    pass.add(item, member, Members, sum);
    if constexpr (Pass::reduces) {
      sum = reduced(sum);
      if (member == 0) pass.finish(item, sum);
    }
    if constexpr (Members == warp) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

 private:
  template <class Partial>
  __device__ Partial reduced(const Partial& sum) const {
    if constexpr (Members == warp) {
      using reduction = cub::WarpReduce<Partial>;
      __shared__ typename reduction::TempStorage storage[per_block];
      return reduction(storage[number]).Reduce(sum, combine_partials{});
    } else {
      using reduction = cub::BlockReduce<Partial, Members>;
      __shared__ typename reduction::TempStorage storage;
      return reduction(storage).Reduce(sum, combine_partials{});
    }
  }
};

template <int Members, class Passes>
__global__ void __launch_bounds__(largest_team)
    run_by_rows(std::uint32_t count, const __grid_constant__ Passes passes) {
  using team = row_team<Members>;
  const int thread = static_cast<int>(threadIdx.x);
  const team own{thread / Members, thread % Members};
  const std::uint32_t item = blockIdx.x * team::per_block + own.number;
  if (item < count) passes.run(own, item);  // for whole teams
}

/// Starts kernels on one stream.
class executor {
 public:
  explicit executor(cudaStream_t stream)
      : stream_(stream),
        workspace_(device_memory(thrust_kernels::workspace_bytes, "the workspace of reductions")),
        faults_(device_memory(sizeof(fault), "the note of what went wrong")) {}

  cudaStream_t stream() const { return stream_; }
  /// What errors are to say about the kernels that follow.
  void begin(const activity& now) { now_ = now; }

  template <class Kernel>
  void for_each(std::int64_t count, const Kernel& kernel) {
    if (count == 0) return;
    launch_for_each(count, kernel, stream_);
    check_launch();
  }
  template <class Kernel>
  void by_threads(std::int64_t count, const Kernel& kernel) {
    launch_by_threads(count, kernel, stream_);
    check_launch();
  }
  template <class Kernel>
  void by_warps(std::int64_t count, const Kernel& kernel) {
    launch_by_warps(count, kernel, stream_);
    check_launch();
  }
  template <class Kernel>
  void by_blocks(std::int64_t count, const Kernel& kernel) {
    launch_by_blocks(count, kernel, stream_);
    check_launch();
  }
  template <class Kernel>
  void by_tiles(std::int64_t count, int across, const Kernel& kernel) {
    launch_by_tiles(count, across, kernel, stream_);
    check_launch();
  }

  template <class Passes>
  void by_rows(std::int64_t count, bool by_warps, const Passes& passes) {
    if (by_warps) {
      run_by_rows<warp>
          <<<blocks(count, largest_team / warp), largest_team, 0, stream_>>>(items(count), passes);
    } else {
      run_by_rows<largest_team><<<items(count), largest_team, 0, stream_>>>(items(count), passes);
    }
    check_launch();
  }

  template <class T>
  T* workspace() const {
    return static_cast<T*>(workspace_.get());
  }
  fault* faults() const { return static_cast<fault*>(faults_.get()); }

 private:
  cudaStream_t stream_;
  device_pointer workspace_, faults_;
  activity now_;

  void check_launch() const { check(cudaGetLastError(), "a kernel's launch", now_); }
};

}  // namespace tapeless::cuda_kernels
