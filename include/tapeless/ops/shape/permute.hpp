// SPDX-License-Identifier: BSL-1.0
// permute<A...>(x): the axes in another order.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/view_node.hpp>

namespace tapeless {

struct permute_operation {
  static constexpr value cotangent_of(int, value g, const value*, value y) {
    int inverse[max_rank] = {};
    for (int i = 0; i < y.rank(); ++i) inverse[permuted_axis(y.get(), i)] = i;
    return permute(g, inverse);
  }
  static constexpr operation op{"permute", view_kind::permute, jacobian::linear, &cotangent_of};
};

namespace detail {

constexpr bool exchanges_last_two(const int* axes, int rank) {
  for (int i = 0; i + 2 < rank; ++i)
    if (axes[i] != i) return false;
  return rank >= 2 && axes[rank - 2] == rank - 1 && axes[rank - 1] == rank - 2;
}

constexpr bool names_each_once(const int* axes, int rank) {
  unsigned seen = 0;
  for (int i = 0; i < rank; ++i)
    if (axes[i] >= 0 && axes[i] < rank) seen |= 1u << axes[i];
  return seen == (1u << rank) - 1;
}

constexpr value do_not_name_each_once(value x, const int* axes, int count) {
  text t = shape_sentence("permute", x);
  t << ": the axes <";
  for (int i = 0; i < count; ++i) t << (i == 0 ? "" : ", ") << axes[i];
  return x.fail(t << "> do not name each of its axes once");
}

}  // namespace detail

constexpr value transpose_last(value x);

namespace detail {

// (a b)^T = b^T a^T: a weight's gradient comes out in the weight's own layout.
constexpr value transposed_product(value x) {
  const auto made = [&] {
    node n = x.get();
    std::swap(n.shape[n.rank - 2], n.shape[n.rank - 1]);
    n.operands[0] = transpose_last(x.operand(1)).id;
    n.operands[1] = transpose_last(x.operand(0)).id;
    return x.builder->add(n);
  };
  const bool is_of_products = x.operand(0).is(family::product) || x.operand(1).is(family::product);
  return {x.builder, is_of_products ? x.builder->once(x.builder->transposes, x.id, made) : made()};
}

}  // namespace detail

/// Post-condition: axis i of the result is axis axes[i] of x.
/// @formula y[i0, i1, ..] = x with i_k along axis Axes[k]
/// @shapes [..] -> its extents in another order
/// @errors permute_axes rule_of_a_vector
/// @torch torch.permute
/// @jax jnp.transpose
/// @given x = [[[1, 2], [3, 4]]]
/// @gives tl::permute<2, 0, 1>(x) = [[[1, 3]], [[2, 4]]]
constexpr value permute(value x, const int* axes) {
  if (!detail::names_each_once(axes, x.rank())) return detail::do_not_name_each_once(x, axes, x.rank());
  bool moved = false;
  node n = detail::unary_node(permute_operation::op, x, shape_of(x));
  for (int i = 0; i < n.rank; ++i) {
    n.shape[i] = x.get().shape[axes[i]];
    moved = moved || axes[i] != i;
  }
  if (!moved) return x;
  set_permutation(n, axes);
  if (x.is(family::product) && detail::exchanges_last_two(axes, n.rank)) return detail::transposed_product(x);
  if (x.is(permute_operation::op)) {
    int both[max_rank] = {};
    for (int i = 0; i < n.rank; ++i) both[i] = permuted_axis(x.get(), axes[i]);
    return permute(x.operand(0), both);
  }
  return x.insert(n);
}

/// The last two axes exchanged.
constexpr value transpose_last(value x) {
  if (x.rank() < 2) return x.fail(detail::shape_sentence("transpose_last", x) << ": it takes [.., m, n]");
  int axes[max_rank] = {};
  for (int i = 0; i < x.rank(); ++i) axes[i] = i;
  axes[x.rank() - 2] = x.rank() - 1;
  axes[x.rank() - 1] = x.rank() - 2;
  return permute(x, axes);
}

template <int... Axes>
struct permute_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    constexpr int count = sizeof...(Axes);
    const int given[] = {Axes..., 0};
    int axes[max_rank] = {};
    for (int i = 0; i < count; ++i) axes[i] = normal_axis(given[i], x.rank());
    if (count != x.rank() || !detail::names_each_once(axes, count))
      return detail::do_not_name_each_once(x, given, count);
    return permute(x, axes);
  }
};

/// Axis i of the result is axis Axes[i] of x: permute<0, 2, 1>(x).
template <int... Axes>
constexpr value permute(is_value auto x) {
  return make<permute_statement<Axes...>>(x);
}
template <int... Axes>
TAPELESS_FACTORY auto permute(expression_operand auto x) {
  return make<permute_statement<Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous permute(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
