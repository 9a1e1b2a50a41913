// SPDX-License-Identifier: BSL-1.0
// Changes of elements that other threads may change at the same time; constexpr so that a GPU's code may call
// them.
#pragma once

#include <cuda/atomic>

namespace tapeless::thrust_kernels {

/// Says what was there before.
template <class T>
constexpr T atomic_exchange(T* to, T x) {
  return ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(*to).exchange(x);
}

}  // namespace tapeless::thrust_kernels
