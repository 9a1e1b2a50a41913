// SPDX-License-Identifier: BSL-1.0
// matmul(a, b): the matrix product over the last two axes; the axes before them broadcast.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

struct matmul_operation {
  static constexpr std::string_view name = "matmul";
  static constexpr int arity = 2;

  // y = a b: the cotangent of a is g b^T, that of b is a^T g.
  static constexpr value cotangent_of(int k, value g, const value* x, value) {
    return k == 0 ? product(g, transpose_last(x[1])) : product(transpose_last(x[0]), g);
  }
  static constexpr operation op{name, family::product, jacobian::linear, &cotangent_of};

  /// As NumPy's: a vector on the left is a row, one on the right a column, and its axis is dropped again.
  static constexpr value build(value a, value b) {
    if (a.rank() == 0 || b.rank() == 0) return do_not_fit(a, b);
    const value left = a, right = b;
    const bool row = a.rank() == 1, column = b.rank() == 1;
    if (row) a = reshape(a, {2, {1, a.get().shape[0]}});
    if (column) b = reshape(b, {2, {b.get().shape[0], 1}});
    const value y = b.rank() == 2 && a.rank() > 2 ? one_product(a, b) : product(a, b);
    if (!y.exists()) return do_not_fit(left, right);
    if (!row && !column) return y;
    shape_list s = shape_of(y);
    if (column) --s.rank;
    if (row) {
      if (!column) s.extents[s.rank - 2] = s.extents[s.rank - 1];
      --s.rank;
    }
    return reshape(y, s);
  }

 private:
  // Both products are {} where the operands do not fit.

  // [..., m, k] [k, n]: all rows of a in one product, so that b's gradient is one, too.
  static constexpr value one_product(value a, value b) {
    shape_list shape = shape_of(a), rows{2, {1, shape.extents[shape.rank - 1]}};
    if (rows.extents[1] != b.get().shape[0] || !may_be_multiplied(a, b)) return {};
    for (int i = 0; i + 1 < shape.rank; ++i)
      rows.extents[0] = a.builder->extents.multiply(rows.extents[0], shape.extents[i]);
    shape.extents[shape.rank - 1] = b.get().shape[1];
    return reshape(product(reshape(a, rows), b), shape);
  }

  // [..., m, k] [..., k, n] -> [..., m, n]; of 16 bits, added up in float.
  static constexpr value product(value a, value b) {
    const shape_list left = shape_of(a), right = shape_of(b);
    const std::int64_t m = left.extents[left.rank - 2], k = left.extents[left.rank - 1];
    shape_list batch_left = left, batch_right = right, shape;
    batch_left.rank -= 2;
    batch_right.rank -= 2;
    if (!may_be_multiplied(a, b) || k != right.extents[right.rank - 2] ||
        !broadcast(batch_left, batch_right, shape))
      return {};
    shape.extents[shape.rank++] = m;
    shape.extents[shape.rank++] = right.extents[right.rank - 1];
    node n;
    n.op = &op;
    n.type = a.type();
    set_shape(n, shape);
    n.operand_count = 2;
    n.operands[0] = a.id;
    n.operands[1] = b.id;
    return a.insert(n);
  }

  static constexpr bool may_be_multiplied(value a, value b) {
    return a.type() == b.type() && is_floating(a.type());
  }
  static constexpr value do_not_fit(value a, value b) {
    text t;
    t << "matmul got operands " << name_of(a.type());
    a.builder->describe_shape(t, a.get());
    t << " and " << name_of(b.type());
    b.builder->describe_shape(t, b.get());
    return a.fail(t << ", which do not fit: it takes two of one floating type, [..., m, k] and [..., k, n]");
  }
};

/// [..., m, k] [..., k, n] -> [..., m, n]; also [k] [..., k, n] -> [..., n], [..., m, k] [k] -> [..., m] and
/// [k] [k] -> [].
/// @formula y_ij = sum_k a_ik b_kj
/// @shapes floating [.., m, k] [.., k, n] -> [.., m, n]
/// @errors matmul
/// @torch torch.matmul, a @ b
/// @jax jnp.matmul, a @ b
/// @given a = [[1, 2], [3, 4]]; b = [[1, 0], [1, 1]]
/// @gives tl::matmul(a, b) = [[3, 2], [7, 4]]
template <class A, class B>
  requires value_operands<A, B>
constexpr value matmul(A a, B b) {
  return make<matmul_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto matmul(A a, B b) {
  return make<matmul_operation>(a, b);
}

}  // namespace tapeless
