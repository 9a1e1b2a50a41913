// SPDX-License-Identifier: BSL-1.0
// Vectors as the values of a fused kernel's registers.
#pragma once

#include <type_traits>

#include <tapeless/run/common/common_number.hpp>
#include <tapeless/run/common/registers.hpp>
#include <tapeless/run/cpu/vectors/conditions.hpp>
#include <tapeless/run/cpu/vectors/vectors.hpp>

namespace tapeless::cpu_kernels {

/// packet_size<T> elements per iteration: T's (of 16 bits in memory, where T is float), and conditions on
/// them.
template <class T>
struct wide_lanes {
  static constexpr int width = packet_size<T>;
  template <element Type>
  using value = std::conditional_t<Type == element::boolean, wide_mask<T>, wide<T>>;
};

/// The number or condition, or a vector of nothing else.
template <class Held, class T>
struct filled {
  static Held with(T x) { return x; }
};
template <class T>
struct filled<wide<T>, T> {
  static wide<T> with(T x) { return splat(x); }
};
template <class T>
struct filled<wide_mask<T>, bool> {
  static wide_mask<T> with(bool x) { return splat_condition<T>(x); }
};
template <class Held, class T>
Held everywhere(T x) {
  return filled<Held, T>::with(x);
}

}  // namespace tapeless::cpu_kernels
