// SPDX-License-Identifier: BSL-1.0
// Vectors as the values of a fused kernel's registers.
#pragma once

#include <type_traits>

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

constexpr bool is_computed_as(element type, element number) {
  return type == number || (is_half(type) && number == element::f32);
}

/// The floating type in which all of a kernel key's numbers are, so that vectors can be used; or void.
template <class KernelKey>
struct common_number;
template <load_key... L, instruction_key... I, store_key... S, bool R>
struct common_number<kernel_key<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, R>> {
  template <element Type>
  static constexpr bool all = (is_computed_as(L.type, Type) && ...) &&
                              ((is_computed_as(I.type, Type) || I.type == element::boolean) && ...) &&
                              (is_computed_as(S.type, Type) && ...) && ((L.kind != lane::index) && ...);
  using type =
      std::conditional_t<all<element::f32>, float, std::conditional_t<all<element::f64>, double, void>>;
};

}  // namespace tapeless::cpu_kernels
