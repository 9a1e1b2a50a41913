// SPDX-License-Identifier: BSL-1.0
// Whether a fused kernel's numbers are all of one floating type, so that vectors can be used.
#pragma once

#include <type_traits>

#include <tapeless/run/common/kernel_key.hpp>

namespace tapeless {

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

}  // namespace tapeless
