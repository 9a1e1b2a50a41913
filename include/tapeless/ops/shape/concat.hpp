// SPDX-License-Identifier: BSL-1.0
// concat<axis>(a, b, ...): values end to end along one axis.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

/// One node joins so many.
inline constexpr int most_joined = 4;

struct concat_operation {
  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    const int axis = axis_of(y.get());
    std::int64_t begin = 0;
    for (int i = 0; i < k; ++i) begin = y.builder->extents.add(begin, x[i].get().shape[axis]);
    return slice(g, axis, begin, 1, x[k].get().shape[axis]);
  }
  static constexpr operation op{"concat", family::concat, jacobian::general, &cotangent_of};
};

/// parts[0], parts[1], ... end to end along the axis; they agree in element type and in the other axes.
/// @formula y = the operands end to end along the axis
/// @shapes [.., n, ..] [.., m, ..] -> [.., n + m, ..]
/// @errors shapes joined_in_braces
/// @torch torch.cat
/// @jax jnp.concatenate
/// @given a = [[1, 2]]; b = [[3, 4], [5, 6]]
/// @gives tl::concat<0>(a, b) = [[1, 2], [3, 4], [5, 6]]
constexpr value concat(const value* parts, int count, int axis) {
  if (count == 1) return parts[0];
  if (count > most_joined) {
    const value first = concat(parts, most_joined, axis);
    value rest[max_arguments];
    rest[0] = first;
    for (int i = most_joined; i < count; ++i) rest[1 + i - most_joined] = parts[i];
    return concat(rest, 1 + count - most_joined, axis);
  }
  node n = detail::unary_node(concat_operation::op, parts[0], shape_of(parts[0]));
  for (int i = 1; i < count; ++i) {
    n.operands[n.operand_count++] = parts[i].id;
    n.shape[axis] = parts[0].builder->extents.add(n.shape[axis], parts[i].get().shape[axis]);
  }
  set_axis(n, axis);
  return parts[0].insert(n);
}

template <int Axis>
struct concat_statement {
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    value parts[max_arguments];
    for (int i = 0; i < x.count; ++i) parts[i] = {&g, x.ids[i]};
    const int axis = normal_axis(Axis, parts[0].rank());
    for (int i = 0; i < x.count; ++i)
      if (axis < 0 || !fits(parts[0], parts[i], axis)) return node_list::only(do_not_fit(parts, x.count));
    return node_list::only(concat(parts, x.count, axis));
  }

 private:
  static constexpr bool fits(value a, value b, int axis) {
    shape_list left = shape_of(a), right = shape_of(b);
    if (left.rank != right.rank || a.type() != b.type()) return false;
    left.extents[axis] = right.extents[axis];
    return left == right;
  }
  static constexpr value do_not_fit(const value* parts, int count) {
    text t;
    t << "concat<" << Axis << "> got";
    for (int i = 0; i < count; ++i) {
      t << (i == 0 ? " " : ", ") << name_of(parts[i].type());
      parts[i].builder->describe_shape(t, parts[i].get());
    }
    return parts[0].fail(t << ": it takes values of one element type that differ along that axis only");
  }
};

/// The operands end to end along the axis: [.., n, ..] [.., m, ..] -> [.., n + m, ..]; the other extents and
/// the element types are equal.
template <int Axis, expression_operand... X>
TAPELESS_FACTORY auto concat(X... x) {
  return make<concat_statement<Axis>>(x...);
}

// Calls as in PyTorch, which are refused.
template <int>
constexpr erroneous concat(detail::joined_in_braces) {
  return {};
}
constexpr erroneous concat(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
