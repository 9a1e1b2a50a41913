// SPDX-License-Identifier: BSL-1.0
// expand<E...>(x): broadcast to a shape, as NumPy does.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/given_extents.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

struct expand_operation {
  static constexpr value cotangent_of(int, value g, const value*, value) {
    return g;
  }  // summed where it fans in
  static constexpr operation op{"expand", view_kind::expand, jacobian::linear, &cotangent_of};
};

constexpr value expand(value x, const shape_list& shape) {
  if (shape_of(x) == shape) return x;
  shape_list fitted;
  if (!broadcast(shape_of(x), shape, fitted) || !(fitted == shape)) {
    text t = detail::shape_sentence("expand", x);
    t << " to ";
    node n;
    set_shape(n, shape);
    x.builder->describe_shape(t, n);
    return x.fail(t << ", to which it does not broadcast");
  }
  return x.insert(detail::unary_node(expand_operation::op, x, shape));
}

template <extent... E>
struct expand_statement {
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::refused_extents<E...>("expand", "or -1 for one that expand keeps", -1);
  }
  static constexpr value build(value x) {
    constexpr extent all[] = {E..., extent()};
    constexpr int rank = sizeof...(E);
    const int added = rank - x.rank();
    shape_list shape{.rank = rank};
    for (int i = 0; i < rank; ++i) {
      const bool keeps = all[i] == extent(-1);
      if (keeps && i < added)
        return x.fail(detail::shape_sentence("expand", x)
                      << ": -1 keeps an extent, but the result's axis " << i << " is new");
      if (keeps && added < 0) return expand(x, {});
      shape.extents[i] = keeps ? x.get().shape[i - added] : x.builder->extents.number(all[i]);
    }
    return expand(x, shape);
  }
};

/// x, repeated along the axes where it has extent 1 or none, in the shape [E...]: expand<batch, 3>(x). An
/// extent of -1 keeps x's.
/// @formula y[.., i, ..] = x[.., 0, ..]
/// @shapes [.., 1, ..] -> [E...]
/// @errors shapes
/// @torch torch.broadcast_to, x.expand
/// @jax jnp.broadcast_to
/// @given x = [[1], [2]]
/// @gives tl::expand<2, 3>(x) = [[1, 1, 1], [2, 2, 2]]
template <extent... E>
constexpr value expand(is_value auto x) {
  return make<expand_statement<E...>>(x);
}
template <extent... E>
TAPELESS_FACTORY auto expand(expression_operand auto x) {
  return make<expand_statement<E...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous expand(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
