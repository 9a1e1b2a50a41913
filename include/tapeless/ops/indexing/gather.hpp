// SPDX-License-Identifier: BSL-1.0
// gather<axis>(x, index): elements that an index picks along one axis.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

// The derivative; its header needs this one, and so comes last.
constexpr value scatter_add(value index, value source, int axis, const shape_list& shape);

struct gather_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    return scatter_add(x[1], g, axis_of(y.get()), shape_of(x[0]));
  }
  static constexpr operation op{"gather", gather_kind::by_index, jacobian::linear, &cotangent_of};
};

/// Of index's shape; element (.., i, ..) is element (.., index(.., i, ..), ..) of x. The other axes of the
/// index are at most x's.
/// @formula y[i][j] = x[index[i][j]][j], for axis 0
/// @shapes [..], integers of as many axes -> the index's shape
/// @errors indices
/// @torch torch.gather
/// @jax jnp.take_along_axis
/// @given x = [[1, 2], [3, 4]]; index = int64 [[0, 0], [1, 0]]
/// @gives tl::gather<1>(x, index) = [[1, 1], [4, 3]]
constexpr value gather(value x, int axis, value index) {
  axis = detail::axis_of("gather", x, axis);
  if (axis < 0) return x;
  index = detail::checked_index(index, x.get().shape[axis]);
  node n = detail::unary_node(gather_operation::op, x, shape_of(index));
  n.operands[n.operand_count++] = index.id;
  set_axis(n, axis);
  return x.insert(n);
}

namespace detail {

// The index has x's rank, and no axis but the one that it picks along is longer than x's.
constexpr bool fits_gather(value x, value index, int axis) {
  if (axis < 0 || !is_index(index) || index.rank() != x.rank()) return false;
  for (int i = 0; i < x.rank(); ++i) {
    const std::int64_t given = index.get().shape[i], extent = x.get().shape[i];
    const bool literal = extent_table::is_literal(given) && extent_table::is_literal(extent);
    if (i != axis && given != extent && !(literal && given < extent)) return false;
  }
  return true;
}

constexpr value index_does_not_fit(text t, value x, value index) {
  t << " got " << name_of(x.type());
  x.builder->describe_shape(t, x.get());
  t << " and an index " << name_of(index.type());
  x.builder->describe_shape(t, index.get());
  return x.fail(t);
}

}  // namespace detail

template <int Axis>
struct gather_statement {
  static constexpr int arity = 2;
  static constexpr value build(value x, value index) {
    if (is_axis_of_scalar(x, Axis))
      return reshape(build(detail::as_vector(x), detail::as_vector(index)), shape_of(index));
    const int axis = normal_axis(Axis, x.rank());
    if (detail::fits_gather(x, index, axis)) return gather(x, axis, index);
    return detail::index_does_not_fit(
        text() << "gather<" << Axis << "> takes integers of x's rank, whose other axes are not longer; it", x,
        index);
  }
};

/// Of index's shape; for axis 0 and two axes, y[i][j] = x[index[i][j]][j]. Indices are 0 or more and below
/// x's extent there: those of an input are checked when it is bound, others when they are used.
template <int Axis>
TAPELESS_FACTORY auto gather(expression_operand auto x, expression_operand auto index) {
  return make<gather_statement<Axis>>(x, index);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous gather(detail::no_axis, ...) { return {}; }

}  // namespace tapeless

#include <tapeless/ops/indexing/scatter_add.hpp>
