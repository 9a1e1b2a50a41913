// SPDX-License-Identifier: BSL-1.0
// pairwise_distance(a, b), cdist(a, b): how far vectors are apart.
#pragma once

#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/norm.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <double Order, double Eps>
struct pairwise_distance_statement {
  static constexpr std::string_view name = "pairwise_distance";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    shape_list shape;
    if (a.type() != b.type() || !is_floating(a.type()) || !broadcast(shape_of(a), shape_of(b), shape) ||
        shape.rank == 0)
      return detail::do_not_fit(name, {{"a", a}, {"b", b}},
                                "two of one floating type whose shapes broadcast, with the vectors along the "
                                "last axis");
    const value d = a - b + Eps;
    return norm_operation<Order>::build(d, detail::last_axis(d), false);
  }
};

template <double Order>
struct cdist_statement {
  static constexpr std::string_view name = "cdist";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (!fits(a, b))
      return detail::do_not_fit(name, {{"a", a}, {"b", b}},
                                "[.., n, features] and [.., m, features] of one floating type, whose leading "
                                "axes broadcast");
    const value d = with_axis(a, a.rank() - 1) - with_axis(b, b.rank() - 2);
    return norm_operation<Order>::build(d, detail::last_axis(d), false);
  }

 private:
  static constexpr value with_axis(value x, int axis) {
    shape_list s = shape_of(x);
    for (int i = s.rank++; i > axis; --i) s.extents[i] = s.extents[i - 1];
    s.extents[axis] = 1;
    return reshape(x, s);
  }
  static constexpr bool fits(value a, value b) {
    if (a.rank() < 2 || b.rank() < 2 || a.rank() == max_rank || b.rank() == max_rank) return false;
    if (a.type() != b.type() || !is_floating(a.type())) return false;
    shape_list left = shape_of(a), right = shape_of(b), both;
    if (left.extents[left.rank - 1] != right.extents[right.rank - 1]) return false;
    left.rank -= 2;
    right.rank -= 2;
    return broadcast(left, right, both);
  }
};

/// |a - b + Eps| along the last axis: two of one floating type, whose shapes broadcast -> the shape without
/// that axis. Behind the operands may follow order<P>, that of the norm (2 where it is not given).
/// @formula y = (sum_i |a_i - b_i + Eps|^P)^(1/P)
/// @shapes floating a and b [.., features] -> [..]
/// @errors distances
/// @torch torch.nn.functional.pairwise_distance
/// @jax jnp.linalg.norm(a - b, axis=-1)
/// @given a = [[0, 0], [1, 1]]; b = [[3, 4], [1, 3]]
/// @gives tl::pairwise_distance(a, b) = [5, 2]
/// @gives tl::pairwise_distance(a, b, tl::order<1>) = [7, 2]
template <double Eps = 1e-6, operand A, operand B>
TAPELESS_FACTORY auto pairwise_distance(A a, B b) {
  return make<pairwise_distance_statement<2.0, Eps>>(a, b);
}
template <double Eps = 1e-6, operand A, operand B, auto P>
TAPELESS_FACTORY auto pairwise_distance(A a, B b, order_t<P>) {
  return make<pairwise_distance_statement<static_cast<double>(P), Eps>>(a, b);
}

/// The distances of all rows of a to all rows of b: [.., n, features] [.., m, features] -> [.., n, m];
/// leading axes broadcast. Behind the operands may follow order<P>, that of the norm (2 where it is not
/// given). The derivative of a distance 0 is 0. Takes n m features elements of work, from the differences
/// themselves, so that near rows keep their digits.
/// @formula y_ij = (sum_k |a_ik - b_jk|^P)^(1/P)
/// @shapes floating [.., n, features] [.., m, features] -> [.., n, m]
/// @errors distances
/// @torch torch.cdist
/// @jax none: jnp.linalg.norm(a[:, None] - b[None], axis=-1)
/// @given a = [[0, 0], [3, 4]]; b = [[0, 0], [0, 4], [3, 0]]
/// @gives tl::cdist(a, b) = [[0, 4, 3], [5, 3, 4]]
template <operand A, operand B>
TAPELESS_FACTORY auto cdist(A a, B b) {
  return make<cdist_statement<2.0>>(a, b);
}
template <operand A, operand B, auto P>
TAPELESS_FACTORY auto cdist(A a, B b, order_t<P>) {
  return make<cdist_statement<static_cast<double>(P)>>(a, b);
}

}  // namespace tapeless
