// SPDX-License-Identifier: BSL-1.0
// The kernel family of batches of reductions: the same reduction of different memory in one launch, such as
// the sums of squares of all gradients.
#pragma once

#include <tapeless/run/gpu/kernels/reduce.hpp>

namespace tapeless::thrust_kernels {

/// The items of all reductions, one reduction after the other.
template <class Body, int Count>
struct reduce_batch_kernel {
  reduce_kernel<Body> reductions[Count];
  std::uint32_t first[Count + 1] = {};  // item of each reduction

  /// team.run(reduction, its item).
  template <class Team>
  constexpr void run(const Team& team, std::uint32_t item) const {
    int k = 0;
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    while (item >= first[k + 1]) ++k;
    team.run(reductions[k], item - first[k]);
  }
};

/// Runs as many reductions to one number each on an executor.
template <class Body, int Count>
struct reduce_batch {
  template <class Executor>
  static void run(const fused_kernel_arguments* const* arguments, Executor& executor) {
    using partial = typename reduce_kernel<Body>::partial;
    constexpr std::int64_t bytes = workspace_bytes / Count / alignof(partial) * alignof(partial);
    reduce_batch_kernel<Body, Count> kernel;
    for (int k = 0; k < Count; ++k) {
      const kernel_piece piece = *arguments[k];
      if (piece.iterations() > most_items) return one_by_one(arguments, executor);
      reduce_kernel<Body>& one = kernel.reductions[k];
      const bool is_wide = fits(piece, Body::unreduced.widest, Body::unreduced.is_contiguous);
      one = reduce<Body>::template make<1>(piece, is_wide ? Body::unreduced.widest : 1);
      one.parts = reduce<Body>::parts_of(one, 1, largest_team, bytes);
      one.partials = reinterpret_cast<partial*>(executor.template workspace<std::byte>() + k * bytes);
      one.arrived = executor.arrived() + k;
      const auto results = static_cast<std::uint32_t>(one.kept.count);  // 0 where it is left out, else 1
      kernel.first[k + 1] = kernel.first[k] + results * one.parts;
    }
    executor.by_blocks_of_batch(kernel.first[Count], kernel);
  }

 private:
  // A sum that is more than a launch takes says so by itself.
  template <class Executor>
  static void one_by_one(const fused_kernel_arguments* const* arguments, Executor& executor) {
    for (int k = 0; k < Count; ++k) reduce<Body>::run(*arguments[k], executor);
  }
};

}  // namespace tapeless::thrust_kernels
