// SPDX-License-Identifier: BSL-1.0
// concat<axis>(a, b, ...): values end to end along one axis.
#pragma once

#include <string_view>
#include <tuple>
#include <utility>

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

namespace detail {

constexpr bool fits_concat(value a, value b, int axis) {
  shape_list left = shape_of(a), right = shape_of(b);
  if (axis < 0 || left.rank != right.rank || a.type() != b.type()) return false;
  left.extents[axis] = right.extents[axis];
  return left == right;
}

constexpr value cannot_be_joined(std::string_view operation, const value* parts, int count, int axis,
                                 std::string_view takes) {
  text t;
  t << operation << "<" << axis << "> got";
  for (int i = 0; i < count; ++i) {
    t << (i == 0 ? " " : ", ") << name_of(parts[i].type());
    parts[i].builder->describe_shape(t, parts[i].get());
  }
  return parts[0].fail(t << ": it takes values of one " << takes);
}

constexpr value concat_node(const value* parts, int count, int axis) {
  node n = unary_node(concat_operation::op, parts[0], shape_of(parts[0]));
  for (int i = 1; i < count; ++i) {
    n.operands[n.operand_count++] = parts[i].id;
    n.shape[axis] = parts[0].builder->extents.add(n.shape[axis], parts[i].get().shape[axis]);
  }
  set_axis(n, axis);
  return parts[0].insert(n);
}

}  // namespace detail

/// parts[0], parts[1], ... end to end along the axis; they agree in element type and in the other axes.
/// @formula y = the operands end to end along the axis
/// @shapes [.., n, ..] [.., m, ..] -> [.., n + m, ..]
/// @errors shapes joined_in_braces
/// @torch torch.cat
/// @jax jnp.concatenate
/// @given a = [[1, 2]]; b = [[3, 4], [5, 6]]
/// @gives tl::concat<0>(a, b) = [[1, 2], [3, 4], [5, 6]]
constexpr value concat(const value* parts, int count, int axis) {
  const int along = normal_axis(axis, parts[0].rank());
  for (int i = 0; i < count; ++i)
    if (!detail::fits_concat(parts[0], parts[i], along))
      return detail::cannot_be_joined("concat", parts, count, axis,
                                      "element type that differ along that axis only");
  value joined = parts[0];
  for (int i = 1; i < count;) {
    value some[most_joined] = {joined};
    int size = 1;
    while (size < most_joined && i < count) some[size++] = parts[i++];
    joined = detail::concat_node(some, size, along);
  }
  return joined;
}

template <int Axis>
struct concat_statement {
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    value parts[max_arguments];
    for (int i = 0; i < x.count; ++i) parts[i] = {&g, x.ids[i]};
    return node_list::only(concat(parts, x.count, Axis));
  }
};

namespace detail {

template <class Op, std::size_t Begin, class Operands, std::size_t... I>
TAPELESS_FACTORY auto make_of_group(const Operands& x, std::index_sequence<I...>) {
  return make<Op>(std::get<Begin + I>(x)...);
}
template <class Op, int Axis, class Operands, std::size_t... Group>
TAPELESS_FACTORY auto concat_groups(const Operands& x, std::index_sequence<Group...>) {
  constexpr std::size_t most = max_arguments, count = std::tuple_size_v<Operands>;
  return concat<Axis>(make_of_group<Op, Group * most>(
      x, std::make_index_sequence<(count - Group * most < most ? count - Group * most : most)>{})...);
}

/// Op, which joins along the axis, of any number of operands: of groups as large as one statement takes,
/// whose results are joined.
template <class Op, int Axis, class... X>
TAPELESS_FACTORY auto make_joined(X... x) {
  constexpr std::size_t most = max_arguments;
  if constexpr (sizeof...(X) == 0) {
    constexpr text message = text() << "one value or more is joined along axis " << Axis
                                    << ", but got none: tl::concat<1>(a, b)";
    static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    return erroneous{};
  } else if constexpr (sizeof...(X) <= most) {
    return make<Op>(x...);
  } else {
    return concat_groups<Op, Axis>(std::tuple(x...),
                                   std::make_index_sequence<(sizeof...(X) + most - 1) / most>{});
  }
}

}  // namespace detail

/// Any number of operands end to end along the axis: [.., n, ..] [.., m, ..] -> [.., n + m, ..]; the other
/// extents and the element types are equal.
template <int Axis, is_value... X>
constexpr value concat(value first, X... others) {
  const value parts[] = {first, others...};
  return concat(parts, 1 + static_cast<int>(sizeof...(X)), Axis);
}
template <int Axis, expression_operand... X>
TAPELESS_FACTORY auto concat(X... x) {
  return detail::make_joined<concat_statement<Axis>, Axis>(x...);
}

// Calls as in PyTorch, which are refused.
template <int>
constexpr erroneous concat(detail::joined_in_braces) {
  return {};
}
constexpr erroneous concat(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
