// SPDX-License-Identifier: BSL-1.0
// Changes of elements that other threads may change at the same time; constexpr so that a GPU's code may call
// them.
#pragma once

#include <cuda/atomic>
#include <type_traits>

#include <tapeless/run/element_types.hpp>

namespace tapeless::thrust_kernels {

template <class T>
constexpr void atomic_add(T* to, T x) {
  if constexpr (is_half(element_of<T>)) {
    ::cuda::atomic_ref<std::uint16_t, ::cuda::thread_scope_device> bits(to->bits);
    std::uint16_t before = bits.load(::cuda::memory_order_relaxed);
    for (T sum; sum.bits = before, sum = static_cast<T>(static_cast<float>(sum) + static_cast<float>(x)),
                !bits.compare_exchange_weak(before, sum.bits, ::cuda::memory_order_relaxed);) {
    }
  } else {
    ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(*to).fetch_add(x, ::cuda::memory_order_relaxed);
  }
}

/// Says what was there before.
template <class T>
constexpr T atomic_exchange(T* to, T x) {
  return ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(*to).exchange(x);
}

}  // namespace tapeless::thrust_kernels
