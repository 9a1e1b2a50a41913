// SPDX-License-Identifier: BSL-1.0
// roll<axis, shift>(x): elements moved along an axis; those that leave it at one end come in at the other.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

template <int Axis, std::int64_t Shift>
struct roll_statement {
  static constexpr std::string_view name = "roll";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    extent_table& extents = x.builder->extents;
    const std::int64_t extent = x.get().shape[axis];
    std::int64_t shift = Shift < 0 ? -Shift : Shift;
    if (extent_table::is_literal(extent)) shift = extent == 0 ? 0 : shift % extent;
    if (shift == 0) return x;
    const std::int64_t rest = extents.subtract(extent, shift);
    const std::int64_t head = Shift < 0 ? shift : rest, tail = Shift < 0 ? rest : shift;
    const value parts[] = {slice(x, axis, head, 1, tail), slice(x, axis, 0, 1, head)};
    return concat(parts, 2, axis);
  }
};

/// Element i of the result is element i - Shift of x along the axis, counted around its end. A run-time
/// extent must be at least as large as the shift.
/// @formula y_i = x_((i - Shift) mod n)
/// @shapes [..] -> [..]
/// @errors shapes
/// @torch torch.roll
/// @jax jnp.roll
/// @given x = [1, 2, 3, 4]
/// @gives tl::roll<0, 1>(x) = [4, 1, 2, 3]
template <int Axis, std::int64_t Shift>
constexpr value roll(is_value auto x) {
  return make<roll_statement<Axis, Shift>>(x);
}
template <int Axis, std::int64_t Shift>
TAPELESS_FACTORY auto roll(expression_operand auto x) {
  return make<roll_statement<Axis, Shift>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous roll(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
