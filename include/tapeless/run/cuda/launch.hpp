// SPDX-License-Identifier: BSL-1.0
// Kernels on a GPU: maps with one thread for each item, and reductions by teams of threads, which put their
// shares together by CUB within a warp or a block.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <tapeless/run/cuda/status.hpp>
#include <tapeless/run/gpu/kernels/rows.hpp>

namespace tapeless::cuda_kernels {

using thrust_kernels::largest_team;

namespace detail {

struct combine_partials {
  template <class Partial>
  constexpr Partial operator()(Partial a, const Partial& b) const {
    a.combine(b);
    return a;
  }
};

/// Whether this block is the last one of so many, which all of its members learn: they see what all blocks
/// have written before. The barriers make one member's acquire and release those of its block.
__device__ inline bool block_arrives_last(std::uint32_t* arrived, std::uint32_t count) {
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) is_last = thrust_kernels::arrives_last(arrived, count);
  __syncthreads();
  return is_last;
}

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

/// A block that works on one item; of a result's parts the last one puts all together.
struct block_team {
  template <class Kernel>
  __device__ void run(const Kernel& kernel, std::uint32_t item) const {
    using partial = typename Kernel::partial;
    using reduction = cub::BlockReduce<partial, largest_team>;
    __shared__ typename reduction::TempStorage storage;
    const int member = static_cast<int>(threadIdx.x);
    partial sum;
    sum.begin();
    kernel.add(item, member, largest_team, sum);
    sum = reduction(storage).Reduce(sum, combine_partials{});
    if (member == 0) kernel.finish(item, sum);
    if constexpr (thrust_kernels::in_parts<Kernel>) {
      if (kernel.parts == 1 || !block_arrives_last(kernel.arrived_of(item), kernel.parts)) return;
      sum.begin();
      kernel.add_parts(item, member, largest_team, sum);
      sum = reduction(storage).Reduce(sum, combine_partials{});
      if (member == 0) kernel.finish_parts(item, sum);
    }
  }
};

/// One block for each item.
template <class Kernel>
__global__ void __launch_bounds__(largest_team) run_by_blocks(const __grid_constant__ Kernel kernel) {
  block_team{}.run(kernel, blockIdx.x);
}
/// One block for each item of several reductions.
template <class Batch>
__global__ void __launch_bounds__(largest_team) run_by_blocks_of_batch(const __grid_constant__ Batch batch) {
  batch.run(block_team{}, blockIdx.x);
}

/// The sum of a tile's shares, for its first members; each of the others hands on what it has once.
template <class Partial>
__device__ Partial sum_of_tile(Partial own, Partial* shared, int across) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int half = largest_team / 2; half >= across; half /= 2) {
    if (half <= thread && thread < 2 * half) shared[thread] = own;
    __syncthreads();
    if (thread < half) {
      const Partial other = shared[thread + half];  // 16 bytes at a time
      own.combine(other);
    }
  }
  return own;
}

/// One block for each `across` neighbouring items of a part: neighbouring threads work on neighbouring items,
/// so that they read neighbouring elements. Precondition: a power of two.
template <class Kernel>
__global__ void __launch_bounds__(largest_team)
    run_by_tiles(std::uint32_t count, int across, const __grid_constant__ Kernel kernel) {
  using partial = typename Kernel::partial;
  __shared__ alignas(16) unsigned char storage[largest_team * sizeof(partial)];
  partial* const shared = reinterpret_cast<partial*>(storage);
  const int thread = static_cast<int>(threadIdx.x), share = thread / across;
  const std::uint32_t result = blockIdx.x * across + thread % across, item = blockIdx.y * count + result;
  partial sum;
  sum.begin();
  if (result < count) kernel.add(item, share, largest_team / across, sum);
  sum = sum_of_tile(sum, shared, across);
  if (thread < across && result < count) kernel.finish(item, sum);
  if constexpr (thrust_kernels::in_parts<Kernel>) {
    if (gridDim.y == 1 || !block_arrives_last(kernel.arrived_of(blockIdx.x), gridDim.y)) return;
    sum.begin();
    if (result < count) kernel.add_parts(item, share, largest_team / across, sum);
    sum = sum_of_tile(sum, shared, across);
    if (thread < across && result < count) kernel.finish_parts(item, sum);
  }
}

/// A warp or a block that runs the fused kernels of one row: each is done, and its results can be seen by all
/// members, before the next one starts.
template <int Members>
struct row_team {
  static constexpr int per_block = largest_team / Members;
  int number, member;  // of the team in its block, of the thread in its team

  template <class RowKernel>
  __device__ void run(const RowKernel& kernel, std::uint32_t item) const {
    using partial = typename RowKernel::partial;
    partial sum;
    sum.begin();
    kernel.add(item, member, Members, sum);
    if constexpr (RowKernel::reduces) {
      sum = reduced(sum);
      if (member == 0) kernel.finish(item, sum);
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

template <int Members, class RowKernels>
__global__ void __launch_bounds__(largest_team)
    run_by_rows(std::uint32_t count, const __grid_constant__ RowKernels kernels) {
  using team = row_team<Members>;
  const int thread = static_cast<int>(threadIdx.x);
  const team own{thread / Members, thread % Members};
  const std::uint32_t item = blockIdx.x * team::per_block + own.number;
  if (item < count) kernels.run(own, item);  // for whole teams
}

/// One block for each tile of a product; at_once of them fit on a multiprocessor.
template <class Tiles>
__global__ void __launch_bounds__(Tiles::members, Tiles::at_once)
    run_by_products(const __grid_constant__ Tiles tiles) {
  __shared__ typename Tiles::near near;
  typename Tiles::sums sums;
  const int member = static_cast<int>(threadIdx.x);
  for (std::uint32_t step = 0; step < tiles.steps(); ++step) {
    tiles.fetch(blockIdx.x, step, member, near);
    __syncthreads();
    tiles.multiply(member, near, sums);
    __syncthreads();
  }
  tiles.finish(blockIdx.x, member, sums);
}

/// One block for each item, whose members work in phases: each has seen what all have written in the phase
/// before.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::members) run_by_phases(const __grid_constant__ Kernel kernel) {
  __shared__ typename Kernel::near near;
  const int phases = kernel.phases(blockIdx.x), member = static_cast<int>(threadIdx.x);
  for (int phase = 0; phase < phases; ++phase) {
    kernel.run(blockIdx.x, phase, member, near);
    __syncthreads();
  }
}

// Precondition of both: the result is below 2^31.
inline unsigned items(std::int64_t count) { return static_cast<unsigned>(count); }
inline unsigned blocks(std::int64_t count, std::int64_t of) { return items((count + of - 1) / of); }

/// Starts a kernel. Says how that went by itself: the runtime's last error may be somebody else's.
template <class... Parameters, class... Arguments>
cudaError_t start(void (*kernel)(Parameters...), dim3 blocks, unsigned threads, cudaStream_t on,
                  const Arguments&... arguments) {
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = blocks;
  configuration.blockDim = dim3(threads);
  configuration.stream = on;
  return cudaLaunchKernelEx(&configuration, kernel, arguments...);
}

}  // namespace detail

// Put a kernel on a stream, as the executor's functions of these names say.

template <class Kernel>
cudaError_t launch_for_each(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::start(detail::run_for_each<Kernel>, detail::blocks(count, largest_team), largest_team, on,
                       detail::items(count), kernel);
}
template <class Kernel>
cudaError_t launch_by_threads(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::start(detail::run_by_threads<Kernel>, detail::blocks(count, largest_team), largest_team, on,
                       detail::items(count), kernel);
}
template <class Kernel>
cudaError_t launch_by_warps(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::start(detail::run_by_warps<Kernel>, detail::blocks(count, largest_team / detail::warp),
                       largest_team, on, detail::items(count), kernel);
}
template <class Kernel>
cudaError_t launch_by_blocks(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::start(detail::run_by_blocks<Kernel>, detail::items(count), largest_team, on, kernel);
}
template <class Batch>
cudaError_t launch_by_blocks_of_batch(std::int64_t count, const Batch& batch, cudaStream_t on) {
  return detail::start(detail::run_by_blocks_of_batch<Batch>, detail::items(count), largest_team, on, batch);
}
template <class Kernel>
cudaError_t launch_by_tiles(std::int64_t count, int across, std::int64_t parts, const Kernel& kernel,
                            cudaStream_t on) {
  return detail::start(detail::run_by_tiles<Kernel>,
                       dim3(detail::blocks(count, across), detail::items(parts)), largest_team, on,
                       detail::items(count), across, kernel);
}
template <class Kernel>
cudaError_t launch_by_phases(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::start(detail::run_by_phases<Kernel>, detail::items(count), Kernel::members, on, kernel);
}

template <class RowKernels>
cudaError_t launch_by_rows_of_warps(std::int64_t count, const RowKernels& kernels, cudaStream_t on) {
  return detail::start(detail::run_by_rows<detail::warp, RowKernels>,
                       detail::blocks(count, largest_team / detail::warp), largest_team, on,
                       detail::items(count), kernels);
}
template <class RowKernels>
cudaError_t launch_by_rows_of_blocks(std::int64_t count, const RowKernels& kernels, cudaStream_t on) {
  return detail::start(detail::run_by_rows<largest_team, RowKernels>, detail::items(count), largest_team, on,
                       detail::items(count), kernels);
}

template <class Tiles>
cudaError_t launch_by_products(std::int64_t count, const Tiles& tiles, cudaStream_t on) {
  return detail::start(detail::run_by_products<Tiles>, detail::items(count), Tiles::members, on, tiles);
}

}  // namespace tapeless::cuda_kernels
