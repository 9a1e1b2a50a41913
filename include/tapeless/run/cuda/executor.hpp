// SPDX-License-Identifier: BSL-1.0
// Starts the kernels on a GPU's stream: maps with one thread for each item, and reductions by teams of
// threads, which put their shares together by CUB within a warp or a block.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <tapeless/run/cuda/handles.hpp>
#include <tapeless/run/thrust/fault.hpp>
#include <tapeless/run/thrust/reduce.hpp>

namespace tapeless::cuda_kernels {

using thrust_kernels::fault;
using thrust_kernels::largest_team;

struct combine_partials {
  template <class Partial>
  constexpr Partial operator()(Partial a, const Partial& b) const {
    a.combine(b);
    return a;
  }
};

template <class Kernel>
__global__ void __launch_bounds__(largest_team)
    run_for_each(std::uint32_t count, const __grid_constant__ Kernel kernel) {
  const std::uint32_t item = blockIdx.x * largest_team + threadIdx.x;
  if (item < count) kernel(item);
}

template <class Kernel>
__global__ void __launch_bounds__(largest_team)
    run_by_threads(std::uint32_t count, const __grid_constant__ Kernel kernel) {
  const std::uint32_t item = blockIdx.x * largest_team + threadIdx.x;
  if (item >= count) return;
  typename Kernel::partial sum;
  sum.begin();
  kernel.add(item, 0, 1, sum);
  kernel.finish(item, sum);
}

inline constexpr int warp = 32;

template <class Kernel>
__global__ void __launch_bounds__(largest_team)
    run_by_warps(std::uint32_t count, const __grid_constant__ Kernel kernel) {
  using partial = typename Kernel::partial;
  using reduction = cub::WarpReduce<partial>;
  __shared__ typename reduction::TempStorage storage[largest_team / warp];
  const int team = static_cast<int>(threadIdx.x) / warp, member = static_cast<int>(threadIdx.x) % warp;
  const std::uint32_t item = blockIdx.x * (largest_team / warp) + team;
  if (item >= count) return;  // the whole warp
  partial sum;
  sum.begin();
  kernel.add(item, member, warp, sum);
  sum = reduction(storage[team]).Reduce(sum, combine_partials{});
  if (member == 0) kernel.finish(item, sum);
}

/// One block for each item.
template <class Kernel>
__global__ void __launch_bounds__(largest_team) run_by_blocks(const __grid_constant__ Kernel kernel) {
  using partial = typename Kernel::partial;
  using reduction = cub::BlockReduce<partial, largest_team>;
  __shared__ typename reduction::TempStorage storage;
  partial sum;
  sum.begin();
  kernel.add(blockIdx.x, static_cast<int>(threadIdx.x), largest_team, sum);
  sum = reduction(storage).Reduce(sum, combine_partials{});
  if (threadIdx.x == 0) kernel.finish(blockIdx.x, sum);
}

/// One block for each `across` neighbouring items: neighbouring threads work on neighbouring items, so that
/// they read neighbouring elements. Precondition: a power of two.
template <class Kernel>
__global__ void __launch_bounds__(largest_team)
    run_by_tiles(std::uint32_t count, int across, const __grid_constant__ Kernel kernel) {
  using partial = typename Kernel::partial;
  __shared__ alignas(16) unsigned char storage[largest_team * sizeof(partial)];
  partial* const sums = reinterpret_cast<partial*>(storage);
  const int thread = static_cast<int>(threadIdx.x), share = thread / across;
  const std::uint32_t item = blockIdx.x * across + thread % across;
  partial sum;
  sum.begin();
  if (item < count) kernel.add(item, share, largest_team / across, sum);
  sums[thread] = sum;
  for (int half = largest_team / 2; half >= across; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread].combine(sums[thread + half]);
  }
  if (thread < across && item < count) kernel.finish(item, sums[thread]);
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
    run_for_each<<<blocks(count, largest_team), largest_team, 0, stream_>>>(items(count), kernel);
    check_launch();
  }
  template <class Kernel>
  void by_threads(std::int64_t count, const Kernel& kernel) {
    run_by_threads<<<blocks(count, largest_team), largest_team, 0, stream_>>>(items(count), kernel);
    check_launch();
  }
  template <class Kernel>
  void by_warps(std::int64_t count, const Kernel& kernel) {
    run_by_warps<<<blocks(count, largest_team / warp), largest_team, 0, stream_>>>(items(count), kernel);
    check_launch();
  }
  template <class Kernel>
  void by_blocks(std::int64_t count, const Kernel& kernel) {
    run_by_blocks<<<items(count), largest_team, 0, stream_>>>(kernel);
    check_launch();
  }
  template <class Kernel>
  void by_tiles(std::int64_t count, int across, const Kernel& kernel) {
    run_by_tiles<<<blocks(count, across), largest_team, 0, stream_>>>(items(count), across, kernel);
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

  // Of less than 2^31.
  static unsigned items(std::int64_t count) { return static_cast<unsigned>(count); }
  static unsigned blocks(std::int64_t count, std::int64_t of) { return items((count + of - 1) / of); }
  void check_launch() const { check(cudaGetLastError(), "a kernel's launch", now_); }
};

}  // namespace tapeless::cuda_kernels
