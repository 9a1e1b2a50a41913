// SPDX-License-Identifier: BSL-1.0
// Runs the kernels on Thrust's host system: one thread, OpenMP or TBB, as THRUST_HOST_SYSTEM says. Teams of
// threads are played one member after the other, so that they share out their work as on a GPU.
#pragma once

#include <vector>

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <tapeless/run/cpu/vectors/aligned_memory.hpp>
#include <tapeless/run/gpu/kernels/fault.hpp>
#include <tapeless/run/gpu/kernels/rows.hpp>

namespace tapeless::thrust_kernels {

/// One item of a team's: its members' shares, put together in pairs as a GPU's threads do; of parts the last
/// one puts all together.
template <class Kernel>
struct team_item {
  Kernel kernel;
  int members;

  void operator()(std::uint32_t item) const {
    typename Kernel::partial sums[largest_team];
    put_together(sums, [&](int m) { kernel.add(item, m, members, sums[m]); });
    kernel.finish(item, sums[0]);
    if constexpr (in_parts<Kernel>) {
      if (kernel.parts == 1 || !arrives_last(kernel.arrived_of(item), kernel.parts)) return;
      put_together(sums, [&](int m) { kernel.add_parts(item, m, members, sums[m]); });
      kernel.finish_parts(item, sums[0]);
    }
  }

 private:
  template <class Add>
  void put_together(typename Kernel::partial* sums, const Add& add) const {
    for (int m = 0; m < members; ++m) {
      sums[m].begin();
      add(m);
    }
    for (int half = members / 2; half > 0; half /= 2)
      for (int m = 0; m < half; ++m) sums[m].combine(sums[m + half]);
  }
};

/// What runs one kernel after the other: each is done before the next one starts.
struct host_team {
  int members;

  template <class Kernel>
  void run(const Kernel& kernel, std::uint32_t item) const {
    team_item<Kernel>{kernel, members}(item);
  }
};
/// One row's fused kernels, or one of a batch's reductions.
template <class Kernels>
struct item_of_several {
  Kernels kernels;
  host_team team;

  void operator()(std::uint32_t item) const { kernels.run(team, item); }
};

/// One tile of a product: all members have fetched their shares before they multiply.
template <class Tiles>
struct tile_item {
  Tiles tiles;

  void operator()(std::uint32_t item) const {
    typename Tiles::near near;
    typename Tiles::sums sums[Tiles::members];
    for (std::uint32_t step = 0; step < tiles.steps(); ++step) {
      for (int m = 0; m < Tiles::members; ++m) tiles.fetch(item, step, m, near);
      for (int m = 0; m < Tiles::members; ++m) tiles.multiply(m, near, sums[m]);
    }
    for (int m = 0; m < Tiles::members; ++m) tiles.finish(item, m, sums[m]);
  }
};

/// One item whose members work in phases: all are done with one before the next begins.
template <class Kernel>
struct phases_item {
  Kernel kernel;

  void operator()(std::uint32_t item) const {
    typename Kernel::near near;
    for (int phase = 0, phases = kernel.phases(item); phase < phases; ++phase)
      for (int m = 0; m < Kernel::members; ++m) kernel.run(item, phase, m, near);
  }
};

class host_executor {
 public:
  host_executor() : workspace_(workspace_bytes), arrived_(most_in_parts) {}

  /// kernel(i) for i below count, in any order.
  template <class Kernel>
  void for_each(std::int64_t count, const Kernel& kernel) {
    ::thrust::for_each_n(::thrust::host, ::thrust::counting_iterator<std::uint32_t>(0), count, kernel);
  }

  /// The items of a reduction: by single threads, by teams of 32, by the largest teams, or by these for
  /// `across` neighbouring items, a power of two, of which there are so many parts.
  template <class Kernel>
  void by_threads(std::int64_t count, const Kernel& kernel) {
    for_each(count, team_item<Kernel>{kernel, 1});
  }
  template <class Kernel>
  void by_warps(std::int64_t count, const Kernel& kernel) {
    for_each(count, team_item<Kernel>{kernel, 32});
  }
  template <class Kernel>
  void by_blocks(std::int64_t count, const Kernel& kernel) {
    for_each(count, team_item<Kernel>{kernel, largest_team});
  }
  template <class Kernel>
  void by_tiles(std::int64_t count, int across, std::int64_t parts, const Kernel& kernel) {
    for_each(count * parts, team_item<Kernel>{kernel, largest_team / across});
  }

  /// The items of several reductions, by the largest teams.
  template <class Batch>
  void by_blocks_of_batch(std::int64_t count, const Batch& batch) {
    for_each(count, item_of_several<Batch>{batch, {largest_team}});
  }

  /// Items whose members work in phases.
  template <class Kernel>
  void by_phases(std::int64_t count, const Kernel& kernel) {
    for_each(count, phases_item<Kernel>{kernel});
  }

  /// All fused kernels of each row, by teams of 32 or by the largest ones.
  template <class RowKernels>
  void by_rows(std::int64_t count, bool by_warps, const RowKernels& kernels) {
    for_each(count, item_of_several<RowKernels>{kernels, {by_warps ? 32 : largest_team}});
  }

  /// The tiles of a product, each by a team of its own.
  template <class Tiles>
  void by_products(std::int64_t count, const Tiles& tiles) {
    for_each(count, tile_item<Tiles>{tiles});
  }

  template <class T>
  T* workspace() const {
    return reinterpret_cast<T*>(workspace_.data());
  }
  /// How many parts of a result are done; 0 between kernels.
  std::uint32_t* arrived() { return arrived_.data(); }
  /// Memory that the kernels that follow may write to, as much as they ask for.
  void lend(std::byte* memory) { lent_memory_ = memory; }
  std::byte* lent_memory() const { return lent_memory_; }
  fault* faults() { return &fault_; }

 private:
  std::byte* lent_memory_ = nullptr;
  cpu_kernels::aligned_memory workspace_;
  std::vector<std::uint32_t> arrived_;
  fault fault_;
};

}  // namespace tapeless::thrust_kernels
