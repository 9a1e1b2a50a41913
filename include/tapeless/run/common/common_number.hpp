// SPDX-License-Identifier: BSL-1.0
// Whether a fused kernel's numbers are all of one floating type, so that vectors can be used.
#pragma once

#include <type_traits>

#include <tapeless/run/common/kernel_key.hpp>

namespace tapeless {

constexpr bool is_computed_as(element type, element number) {
  return type == number || (is_half(type) && number == element::f32);
}

constexpr bool is_condition(const load_key& l) { return l.type == element::boolean; }
constexpr bool is_condition(const store_key& s) { return s.type == element::boolean && s.reduction < 0; }

/// The floating type in which all of a kernel key's numbers are, so that vectors can be used; or void.
/// TakesConditions: conditions in memory can be lanes of vectors, too.
template <class KernelKey, bool TakesConditions>
struct common_number;
template <load_key... L, instruction_key... I, store_key... S, bool R, bool TakesConditions>
struct common_number<kernel_key<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, R>,
                     TakesConditions> {
  static constexpr bool all(element number) {
    return ((is_computed_as(L.type, number) || (TakesConditions && is_condition(L))) && ...) &&
           ((is_computed_as(I.type, number) || I.type == element::boolean) && ...) &&
           ((is_computed_as(S.type, number) || (TakesConditions && is_condition(S))) && ...);
  }
  using type =
      std::conditional_t<all(element::f32), float, std::conditional_t<all(element::f64), double, void>>;
};

}  // namespace tapeless
