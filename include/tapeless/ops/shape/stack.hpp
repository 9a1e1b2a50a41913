// SPDX-License-Identifier: BSL-1.0
// stack<axis>(a, b, ...): values of one shape along a new axis.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/unsqueeze.hpp>

namespace tapeless {

/// parts[0], parts[1], ..., which this changes, along a new axis of the result.
constexpr value stack(value* parts, int count, int axis) {
  const int rank = parts[0].rank(), along = normal_axis(axis, rank + 1);
  bool fits = along >= 0 && rank < max_rank;
  for (int i = 1; i < count; ++i)
    fits = fits && shape_of(parts[i]) == shape_of(parts[0]) && parts[i].type() == parts[0].type();
  if (!fits)
    return detail::cannot_be_joined("stack", parts, count, axis,
                                    "shape and element type, and an axis of the result");
  for (int i = 0; i < count; ++i) parts[i] = unsqueeze(parts[i], along);
  return concat(parts, count, along);
}

template <int Axis>
struct stack_statement {
  static constexpr std::string_view name = "stack";
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    value parts[max_arguments];
    for (int i = 0; i < x.count; ++i) parts[i] = {&g, x.ids[i]};
    return node_list::only(stack(parts, x.count, Axis));
  }
};

/// The operands joined along a new axis of the result: two of [n, m] make [2, n, m] by stack<0>,
/// [n, m, 2] by stack<-1>. Shapes and element types are equal.
/// @formula y[.., k, ..] = operand k
/// @shapes k times [..] -> [.., k, ..]
/// @errors shapes joined_in_braces
/// @torch torch.stack
/// @jax jnp.stack
/// @given a = [1, 2]; b = [3, 4]
/// @gives tl::stack<0>(a, b) = [[1, 2], [3, 4]]
/// @gives tl::stack<-1>(a, b) = [[1, 3], [2, 4]]
template <int Axis, is_value... X>
constexpr value stack(value first, X... others) {
  value parts[] = {first, others...};
  return stack(parts, 1 + static_cast<int>(sizeof...(X)), Axis);
}
template <int Axis, expression_operand... X>
TAPELESS_FACTORY auto stack(X... x) {
  return detail::make_joined<stack_statement<Axis>, Axis>(x...);
}

// Calls as in PyTorch, which are refused.
template <int>
constexpr erroneous stack(detail::joined_in_braces) {
  return {};
}
constexpr erroneous stack(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
