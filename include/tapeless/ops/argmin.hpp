// SPDX-License-Identifier: BSL-1.0
// argmin<axis>(x): where the smallest element is.
#pragma once

#include <tapeless/ops/argmax.hpp>

namespace tapeless {

/// The index of the smallest element, as argmax's of the largest.
template <int... Axis, reduction_operand X>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto argmin(X x) {
  return detail::index_of<min_reduction_rule, false, Axis...>(x);
}
template <int... Axis, reduction_operand X>
[[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr auto argmin(X x, keep_dims_t) {
  return detail::index_of<min_reduction_rule, true, Axis...>(x);
}

}  // namespace tapeless
