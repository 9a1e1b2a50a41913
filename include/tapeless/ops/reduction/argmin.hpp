// SPDX-License-Identifier: BSL-1.0
// argmin<axis>(x): where the smallest element is.
#pragma once

#include <tapeless/ops/reduction/argmax.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>

namespace tapeless {

/// The index of the smallest element, as argmax's of the largest.
template <int... Axis, reduction_operand X>
TAPELESS_FACTORY auto argmin(X x) {
  return detail::index_of<min_reduction_operation, false, Axis...>(x);
}
template <int... Axis, reduction_operand X>
TAPELESS_FACTORY auto argmin(X x, keep_dims_t) {
  return detail::index_of<min_reduction_operation, true, Axis...>(x);
}

}  // namespace tapeless
