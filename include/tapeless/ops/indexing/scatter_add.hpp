// SPDX-License-Identifier: BSL-1.0
// scatter_add<axis>(x, index, source): elements of the source, added where an index brings them along one
// axis. Each of it and gather is the other's derivative.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

struct scatter_add_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    return gather(g, axis_of(y.get()), x[1]);
  }
  static constexpr operation op{"scatter_add", scatter_kind::add, jacobian::linear, &cotangent_of};
};

/// x with element (.., i, ..) of the source added at (.., index(.., i, ..), ..); this form on values has
/// zeros of the given shape for x.
/// @formula y = x; y[index[i][j]][j] += source[i][j], for axis 0
/// @shapes [..], integers and values of one shape -> x's shape
/// @errors indices
/// @torch torch.scatter_add
/// @jax x.at[index].add(source)
/// @given x = [0, 0, 0]; index = int64 [2, 0, 2]; source = [1, 2, 3]
/// @gives tl::scatter_add<0>(x, index, source) = [2, 0, 4]
constexpr value scatter_add(value index, value source, int axis, const shape_list& shape) {
  if (is_half(source.type()))  // added up in float
    return cast(scatter_add(index, cast(source, element::f32), axis, shape), source.type());
  if (normal_axis(axis, shape.rank) < 0)
    return source.fail(detail::shape_sentence("scatter_add", source) << ": it has no axis " << axis);
  axis = normal_axis(axis, shape.rank);
  index = detail::checked_index(index, shape.extents[axis]);
  node n = detail::unary_node(scatter_add_operation::op, source, shape);
  n.operands[n.operand_count++] = index.id;
  set_axis(n, axis);
  return source.insert(n);
}

template <int Axis>
struct scatter_add_statement {
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    if (is_axis_of_scalar(x, Axis))
      return reshape(build(detail::as_vector(x), detail::as_vector(index), detail::as_vector(source)),
                     shape_of(x));
    const int axis = normal_axis(Axis, x.rank());
    if (detail::fits_gather(x, index, axis) && shape_of(index) == shape_of(source) &&
        source.type() == x.type())
      return x + scatter_add(index, source, axis, shape_of(x));
    text t;
    t << "scatter_add<" << Axis << "> takes integers of the source's shape, whose other axes are not longer "
      << "than x's; the source is " << name_of(source.type());
    x.builder->describe_shape(t, source.get());
    return detail::index_does_not_fit(t << ", and it", x, index);
  }
};

/// x, with the source added; for axis 0 and two axes, y[index[i][j]][j] += source[i][j]. Indices as in
/// gather.
template <int Axis>
TAPELESS_FACTORY auto scatter_add(expression_operand auto x, expression_operand auto index,
                                  expression_operand auto source) {
  return make<scatter_add_statement<Axis>>(x, index, source);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous scatter_add(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
