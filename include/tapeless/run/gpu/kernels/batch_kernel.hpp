// SPDX-License-Identifier: BSL-1.0
// The kernel family of batches: maps with the same operations on different memory in one launch, such as the
// updates of all parameters.
#pragma once

#include <tapeless/run/gpu/kernels/map_kernel.hpp>

namespace tapeless::thrust_kernels {

/// The items of all maps, one map after the other.
template <class Body, int Count>
struct batch_kernel {
  map_kernel<Body, 1> maps[Count];
  std::uint32_t first[Count + 1] = {};  // item of each map
  bool is_wide[Count] = {};             // whether an item is as many neighbours as fit into 16 bytes

  constexpr void operator()(std::uint32_t item) const {
    int k = 0;
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    while (item >= first[k + 1]) ++k;
    const map_kernel<Body, 1>& map = maps[k];
    if (is_wide[k]) {
      map.template compute<Body::in_memory.widest>(item - first[k]);
    } else {
      map.template compute<1>(item - first[k]);
    }
  }
};

/// Runs as many maps on an executor.
template <class Body, int Count>
struct batch {
  template <class Executor>
  static void run(const fused_kernel_arguments* const* arguments, Executor& executor) {
    batch_kernel<Body, Count> kernel;
    std::int64_t items = 0;
    for (int k = 0; k < Count; ++k) {
      kernel.is_wide[k] = map<Body>::is_wide(*arguments[k]);
      kernel.maps[k] = map<Body>::template make<map_kernel<Body, 1>>(
          *arguments[k], kernel.is_wide[k] ? Body::in_memory.widest : 1);
      items += kernel.maps[k].space.count;
      if (items > most_items)
        throw_error({"updates of ", items, " elements at once are more than a launch takes, ", most_items});
      kernel.first[k + 1] = static_cast<std::uint32_t>(items);
    }
    if (items > 0) executor.for_each(items, kernel);
  }
};

}  // namespace tapeless::thrust_kernels
