// SPDX-License-Identifier: BSL-1.0
// tensordot<n>(a, b), tensordot<axes<1, 0>, axes<0, 1>>(a, b): a product of matrices of joined axes.
#pragma once

#include <utility>

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/linalg/matmul.hpp>

namespace tapeless {

/// Axes that an operation is given in an order; negative ones count from the end.
template <int... Axes>
struct axes {
  static constexpr int count = sizeof...(Axes);
  static constexpr int items[count + 1] = {Axes..., 0};
};

namespace detail {

/// x as a matrix, of the axes that are not in the list and of those that are, in the list's order; {} where
/// x has no such axes. Its left extents are those of the axes that are not.
struct tensordot_operand {
  value matrix;
  shape_list rest, listed;
};
constexpr bool as_matrix(value x, const int* list, int count, bool listed_first, tensordot_operand& result) {
  int order[max_rank] = {}, at[max_rank] = {};
  unsigned taken = 0;
  if (count > x.rank()) return false;
  for (int i = 0; i < count; ++i) {
    at[i] = normal_axis(list[i], x.rank());
    if (at[i] < 0 || (taken >> at[i] & 1u) != 0) return false;
    taken |= 1u << at[i];
    result.listed.extents[result.listed.rank++] = x.get().shape[at[i]];
  }
  int rest[max_rank] = {};
  for (int i = 0; i < x.rank(); ++i)
    if ((taken >> i & 1u) == 0) {
      rest[result.rest.rank] = i;
      result.rest.extents[result.rest.rank++] = x.get().shape[i];
    }
  for (int i = 0; i < count; ++i) order[listed_first ? i : result.rest.rank + i] = at[i];
  for (int i = 0; i < result.rest.rank; ++i) order[listed_first ? count + i : i] = rest[i];
  const std::int64_t sums = element_count(*x.builder, result.listed),
                     others = element_count(*x.builder, result.rest);
  const shape_list shape = listed_first ? shape_list{2, {sums, others}} : shape_list{2, {others, sums}};
  result.matrix = reshape(permute(x, order), shape);
  return true;
}

}  // namespace detail

template <class OfA, class OfB>
struct tensordot_statement {
  static constexpr std::string_view name = "tensordot";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    detail::tensordot_operand left, right;
    const bool fit = a.type() == b.type() && is_floating(a.type()) && OfA::count == OfB::count &&
                     detail::as_matrix(a, OfA::items, OfA::count, false, left) &&
                     detail::as_matrix(b, OfB::items, OfB::count, true, right) &&
                     left.listed == right.listed && left.rest.rank + right.rest.rank <= max_rank;
    if (!fit)
      return detail::do_not_fit(name, {{"a", a}, {"b", b}},
                                "as many axes of each, with equal extents, of two of one floating type");
    shape_list shape = left.rest;
    for (int i = 0; i < right.rest.rank; ++i) shape.extents[shape.rank++] = right.rest.extents[i];
    return reshape(matmul(left.matrix, right.matrix), shape);
  }
};

namespace detail {

template <int First, int... I>
constexpr axes<(First + I)...> axes_from(std::integer_sequence<int, I...>) {
  return {};
}
/// The last Count axes of a, and the first ones of b.
template <int Count>
using tensordot_of =
    tensordot_statement<decltype(axes_from<-Count>(std::make_integer_sequence<int, Count>{})),
                        decltype(axes_from<0>(std::make_integer_sequence<int, Count>{}))>;

}  // namespace detail

/// Sums of products over the last Count axes of a and the first Count of b; the result has the axes that are
/// left of a, then those of b. tensordot<axes<1, 0>, axes<0, 1>>(a, b) sums over the named axes, each of a
/// with that of b at its place in the list.
/// @formula y[i, j] = sum_k a[i, k] b[k, j], where i, j and k are axes each
/// @shapes floating [.., k..] [k.., ..] -> the axes that are left
/// @errors small_products
/// @torch torch.tensordot
/// @jax jnp.tensordot
/// @given a = [[1, 2], [3, 4]]; b = [[1, 0], [1, 1]]
/// @gives tl::tensordot<1>(a, b) = [[3, 2], [7, 4]]
/// @gives tl::tensordot(a, b) = 8
/// @gives tl::tensordot<tl::axes<0>, tl::axes<1>>(a, b) = [[1, 4], [2, 6]]
template <int Count = 2, class A, class B>
  requires(Count >= 0 && value_operands<A, B>)
constexpr value tensordot(A a, B b) {
  return make<detail::tensordot_of<Count>>(a, b);
}
template <int Count = 2, class A, class B>
  requires(Count >= 0 && expression_operands<A, B>)
TAPELESS_FACTORY auto tensordot(A a, B b) {
  return make<detail::tensordot_of<Count>>(a, b);
}
template <class OfA, class OfB, class A, class B>
  requires value_operands<A, B>
constexpr value tensordot(A a, B b) {
  return make<tensordot_statement<OfA, OfB>>(a, b);
}
template <class OfA, class OfB, class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto tensordot(A a, B b) {
  return make<tensordot_statement<OfA, OfB>>(a, b);
}

}  // namespace tapeless
