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

/// Counts who arrives, of so many; says whether this was the last one, who sees what all have written before.
/// The count then begins again.
template <class T>
constexpr bool arrives_last(T* arrived, T count) {
  const ::cuda::atomic_ref<T, ::cuda::thread_scope_device> number(*arrived);
  if (number.fetch_add(1, ::cuda::memory_order_acq_rel) + 1 < count) return false;
  number.store(0, ::cuda::memory_order_relaxed);
  return true;
}

}  // namespace tapeless::thrust_kernels
