// SPDX-License-Identifier: BSL-1.0
// Changes of elements that other threads may change at the same time; constexpr so that a GPU's code may call
// them.
#pragma once

#include <cuda/atomic>

namespace tapeless::thrust_kernels {

/// Precondition: 32 or 64 bits; sums of 16 bits are added up in float.
template <class T>
constexpr void atomic_add(T* to, T x) {
  ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(*to).fetch_add(x, ::cuda::memory_order_relaxed);
}

/// Says what was there before.
template <class T>
constexpr T atomic_exchange(T* to, T x) {
  return ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(*to).exchange(x);
}

}  // namespace tapeless::thrust_kernels
