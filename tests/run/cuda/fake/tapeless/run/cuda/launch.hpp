// SPDX-License-Identifier: BSL-1.0
// In place of the header of this name: kernels go into a stream's queue, and are played on the host. Teams'
// members share out their work as on a GPU.
#pragma once

#include <cuda_runtime.h>

#include <tapeless/run/thrust_host/host_executor.hpp>

namespace tapeless::cuda_kernels {

using thrust_kernels::largest_team;

namespace detail {

inline constexpr int warp = 32;

inline void require_device_memory(fake_cuda::machine& m, int device, const void* p) {
  if (p == nullptr) return;
  const fake_cuda::block* b = fake_cuda::block_of(m, p, 0, "a kernel");
  if (b == nullptr || b->device != device) fake_cuda::stop("a kernel is given memory of somebody else");
}

/// Runs a row's fused kernels for their pointers alone.
struct pointer_team {
  fake_cuda::machine& m;
  int device;
  template <class RowKernel>
  void run(const RowKernel& kernel, std::uint32_t) const;
};

/// The pointers of the kernels that are known here.
template <class Kernel>
void require_device_memory(fake_cuda::machine& m, int device, const Kernel& kernel) {
  const auto check = [&]<class Pointer>(const Pointer& p) {
    if constexpr (std::is_pointer_v<Pointer>)
      require_device_memory(m, device, static_cast<const void*>(p));
    else
      require_device_memory(m, device, p);
  };
  if constexpr (requires { kernel.reductions; }) {
    for (const auto& one : kernel.reductions) require_device_memory(m, device, one);
  } else if constexpr (requires(const pointer_team& team) { kernel.run(team, 0); }) {
    kernel.run(pointer_team{m, device}, 0);
  }
  if constexpr (requires { kernel.operands.data; })
    for (const std::byte* p : kernel.operands.data) check(p);
  if constexpr (requires { kernel.partials; }) check(kernel.partials);
  if constexpr (requires { kernel.arrived; }) check(kernel.arrived);
  if constexpr (requires { kernel.source; }) check(kernel.source);
  if constexpr (requires { kernel.index; }) check(kernel.index);
  if constexpr (requires { kernel.target; }) check(kernel.target);
  if constexpr (requires { kernel.faults; }) check(kernel.faults);
  if constexpr (requires { kernel.heads; }) check(kernel.heads);
  if constexpr (requires { kernel.tails; }) check(kernel.tails);
  if constexpr (requires { kernel.totals; }) check(kernel.totals);
  if constexpr (requires { kernel.keys; }) check(kernel.keys);
  if constexpr (requires { kernel.items; }) check(kernel.items);
  if constexpr (requires { kernel.call.a.data; })
    for (const void* p : {kernel.call.a.data, kernel.call.b.data, kernel.call.c.data}) check(p);
}

template <class RowKernel>
void pointer_team::run(const RowKernel& kernel, std::uint32_t) const {
  require_device_memory(m, device, kernel);
}

template <class Kernel, class Item>
cudaError_t launch(std::int64_t count, const Kernel& kernel, const Item& item, cudaStream_t on) {
  static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel's parameters are copied byte by byte");
  static_assert(sizeof(Kernel) <= 32000, "a kernel's parameters have 32,764 bytes");
  fake_cuda::machine& m = fake_cuda::machine::now();
  const auto here = m.lock();
  if (count <= 0 || count > thrust_kernels::most_items)
    fake_cuda::stop("a launch of so many items is not possible");
  require_device_memory(m, m.stream_of(on).device, kernel);
  const bool backwards = m.settings().items_backwards != m.chance();
  return fake_cuda::launch("a kernel", on, [count, item, backwards] {
    for (std::int64_t i = 0; i < count; ++i) item(static_cast<std::uint32_t>(backwards ? count - 1 - i : i));
  });
}

}  // namespace detail

template <class Kernel>
cudaError_t launch_for_each(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::launch(count, kernel, kernel, on);
}
template <class Kernel>
cudaError_t launch_by_threads(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::launch(count, kernel, thrust_kernels::team_item<Kernel>{kernel, 1}, on);
}
template <class Kernel>
cudaError_t launch_by_warps(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::launch(count, kernel, thrust_kernels::team_item<Kernel>{kernel, detail::warp}, on);
}
template <class Kernel>
cudaError_t launch_by_blocks(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::launch(count, kernel, thrust_kernels::team_item<Kernel>{kernel, largest_team}, on);
}
template <class Batch>
cudaError_t launch_by_blocks_of_batch(std::int64_t count, const Batch& batch, cudaStream_t on) {
  return detail::launch(count, batch, thrust_kernels::item_of_several<Batch>{batch, {largest_team}}, on);
}
template <class Kernel>
cudaError_t launch_by_tiles(std::int64_t count, int across, std::int64_t parts, const Kernel& kernel,
                            cudaStream_t on) {
  return detail::launch(count * parts, kernel,
                        thrust_kernels::team_item<Kernel>{kernel, largest_team / across}, on);
}
template <class Kernel>
cudaError_t launch_by_phases(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
  return detail::launch(count, kernel, thrust_kernels::phases_item<Kernel>{kernel}, on);
}

template <class RowKernels>
cudaError_t launch_by_rows_of_warps(std::int64_t count, const RowKernels& kernels, cudaStream_t on) {
  return detail::launch(count, kernels, thrust_kernels::item_of_several<RowKernels>{kernels, {detail::warp}},
                        on);
}
template <class RowKernels>
cudaError_t launch_by_rows_of_blocks(std::int64_t count, const RowKernels& kernels, cudaStream_t on) {
  return detail::launch(count, kernels, thrust_kernels::item_of_several<RowKernels>{kernels, {largest_team}},
                        on);
}

template <class Tiles>
cudaError_t launch_by_products(std::int64_t count, const Tiles& tiles, cudaStream_t on) {
  return detail::launch(count, tiles, thrust_kernels::tile_item<Tiles>{tiles}, on);
}

}  // namespace tapeless::cuda_kernels
