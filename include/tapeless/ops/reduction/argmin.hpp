// SPDX-License-Identifier: BSL-1.0
// argmin<axis>(x): where the smallest element is.
#pragma once

#include <tapeless/ops/reduction/argmax.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>

namespace tapeless {

struct argmin_operation {
  static constexpr std::string_view name = "argmin";
  static constexpr value build(value x, unsigned axes, bool keep) {
    return detail::first_index_of<min_reduction_operation>(name, x, axes, keep);
  }
};

/// The index of the smallest element, as argmax's of the largest.
template <int... Axis, reduction_operand X>
TAPELESS_FACTORY auto argmin(X x) {
  return detail::index_of<argmin_operation, false, Axis...>(x);
}
template <int... Axis, reduction_operand X>
TAPELESS_FACTORY auto argmin(X x, keep_dims_t) {
  return detail::index_of<argmin_operation, true, Axis...>(x);
}

}  // namespace tapeless
