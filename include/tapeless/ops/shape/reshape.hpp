// SPDX-License-Identifier: BSL-1.0
// reshape<E...>(x): the same elements in row-major order, in another shape.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

struct reshape_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value) {
    return reshape(g, shape_of(x[0]));
  }
  static constexpr operation op{"reshape", view_kind::reshape, jacobian::linear, &cotangent_of};
};

constexpr value reshape(value x, const shape_list& shape) {
  if (shape_of(x) == shape) return x;
  if (element_count(*x.builder, shape_of(x)) != element_count(*x.builder, shape)) {
    text t = detail::shape_sentence("reshape", x);
    t << " to ";
    node n;
    set_shape(n, shape);
    x.builder->describe_shape(t, n);
    return x.fail(t << ", which has another number of elements");
  }
  if (x.is(reshape_operation::op)) return reshape(x.operand(0), shape);
  return x.insert(detail::unary_node(reshape_operation::op, x, shape));
}

template <extent... E>
struct reshape_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return reshape(x, {sizeof...(E), {x.builder->extents.number(E)...}});
  }
};

/// x in the shape [E...], which has as many elements: reshape<batch, 4, 8>(x).
/// @formula y = the same elements in row-major order
/// @shapes [..] -> [E...]
/// @errors reshape
/// @torch torch.reshape
/// @jax jnp.reshape
/// @given x = [[1, 2, 3], [4, 5, 6]]
/// @gives tl::reshape<3, 2>(x) = [[1, 2], [3, 4], [5, 6]]
template <extent... E>
constexpr value reshape(is_value auto x) {
  return make<reshape_statement<E...>>(x);
}
template <extent... E>
TAPELESS_FACTORY auto reshape(expression_operand auto x) {
  return make<reshape_statement<E...>>(x);
}

}  // namespace tapeless
