// SPDX-License-Identifier: BSL-1.0
// Vectors as the values of a fused kernel's registers.
#pragma once

#include <type_traits>

#include <tapeless/run/common/common_number.hpp>
#include <tapeless/run/common/registers.hpp>
#include <tapeless/run/cpu/vectors.hpp>

namespace tapeless::cpu_kernels {

/// packet_size<T> elements per iteration: T's (of 16 bits in memory, where T is float), and conditions on
/// them.
template <class T>
struct wide_lanes {
  static constexpr int width = packet_size<T>;
  template <element Type>
  using value = std::conditional_t<Type == element::boolean, wide_mask<T>, wide<T>>;
};

/// The number, or a vector of nothing else.
template <class Held, class T>
Held everywhere(T x) {
  if constexpr (std::is_arithmetic_v<Held>) {
    return x;
  } else {
    return splat(x);
  }
}

}  // namespace tapeless::cpu_kernels
