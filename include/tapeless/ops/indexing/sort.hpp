// SPDX-License-Identifier: BSL-1.0
// argsort<axis>(x), sort<axis>(x): the order of the elements along an axis.
#pragma once

#include <concepts>

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/take_along.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// What is said beside an operand: the largest element comes first.
struct descending_t {};
inline constexpr descending_t descending;

/// Elements with what they were found by.
template <class Values, class Indices>
struct values_and_indices {
  Values values;
  Indices indices;
};
template <class Values, class Indices>
values_and_indices(Values, Indices) -> values_and_indices<Values, Indices>;

struct argsort_operation {
  static constexpr value cotangent_of(int, value, const value*, value) { return {}; }
  static constexpr operation op{"argsort", family::sort, jacobian::diagonal, &cotangent_of};
};

/// Element i along the last axis is where x's element is that stands at place i of the order. Equal elements
/// keep theirs; NaN is larger than every number.
constexpr value argsort_of_last(value x, const sort_places& places) {
  node n = detail::unary_node(argsort_operation::op, x, shape_of(x));
  n.type = element::i64;
  set_sort(n, places);
  return x.insert(n);
}

namespace detail {

/// x with an axis and the last one exchanged.
constexpr value exchanged_with_last(value x, int axis) {
  int axes[max_rank] = {};
  for (int i = 0; i < x.rank(); ++i) axes[i] = i;
  axes[axis] = x.rank() - 1;
  axes[x.rank() - 1] = axis;
  return axis == x.rank() - 1 ? x : permute(x, axes);
}

constexpr value argsort(value x, int axis, const sort_places& places) {
  return exchanged_with_last(argsort_of_last(exchanged_with_last(x, axis), places), axis);
}

}  // namespace detail

template <int Axis, bool Downward>
struct argsort_statement {
  static constexpr std::string_view name = "argsort";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (is_axis_of_scalar(x, Axis)) return reshape(build(detail::as_vector(x)), shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0 || !detail::require_kind(name, x, element_kind::numbers)) return x;
    return detail::argsort(x, axis, {.downward = Downward});
  }
};

/// Along the axis, the places of x's elements from the smallest to the largest, or with `descending` from the
/// largest to the smallest. Equal elements keep their order; NaN is larger than every number. Its elements
/// are std::int64_t, and it has no derivative. The CPU takes n log n steps for n elements, a GPU n for each
/// element: lines of more than some thousand elements are slow there.
/// @formula y = the permutation of 0, 1, ... with x[y_0] <= x[y_1] <= ...; without a derivative
/// @shapes numbers [..] -> std::int64_t [..]
/// @errors axes_and_counts
/// @torch torch.argsort
/// @jax jnp.argsort
/// @given x = [[3, 1, 2], [5, 5, 4]]
/// @gives tl::argsort(x) = [[1, 2, 0], [2, 0, 1]]
/// @gives tl::argsort<0>(x, tl::descending) = [[1, 1, 1], [0, 0, 0]]
template <int Axis = -1>
TAPELESS_FACTORY auto argsort(operand auto x) {
  return make<argsort_statement<Axis, false>>(x);
}
template <int Axis = -1>
TAPELESS_FACTORY auto argsort(operand auto x, descending_t) {
  return make<argsort_statement<Axis, true>>(x);
}

/// The elements along the axis in their order, as `values`, and where they were, as `indices`: auto [values,
/// indices] = sort<0>(x). The order is argsort's, and so is the time: on a GPU it grows with the square of a
/// line's length, which is fine up to some thousand. The derivative goes to the elements where they were.
/// @formula y_0 <= y_1 <= ..., the elements of x along the axis
/// @shapes numbers [..] -> values [..] and std::int64_t [..]
/// @errors axes_and_counts indexing_as_in_pytorch
/// @torch torch.sort
/// @jax jnp.sort
/// @given x = [[3, 1, 2], [5, 5, 4]]
/// @gives tl::sort(x).values = [[1, 2, 3], [4, 5, 5]]
/// @gives tl::sort<1>(x, tl::descending).indices = [[0, 2, 1], [0, 1, 2]]
template <int Axis = -1, operand X>
TAPELESS_FACTORY auto sort(X x) {
  const auto indices = argsort<Axis>(x);
  return values_and_indices{take_along<Axis>(x, indices), indices};
}
template <int Axis = -1, operand X>
TAPELESS_FACTORY auto sort(X x, descending_t) {
  const auto indices = argsort<Axis>(x, descending);
  return values_and_indices{take_along<Axis>(x, indices), indices};
}

namespace detail {

inline constexpr sentence axis_and_order{"its axis is a template argument, and the order stands behind x"};

}  // namespace detail

// Calls as in PyTorch, which are refused.
template <int... Axis, detail::called_with X, class First, class... More>
  requires(!std::same_as<First, descending_t>)
constexpr auto argsort(const X& x, const First& first, const More&... more) {
  return detail::refuse_call<sentence{"argsort"}, detail::axis_and_order, sentence{"<1>(x, tl::descending)"}>(
      x, first, more...);
}
template <int... Axis, detail::called_with X, class First, class... More>
  requires(!std::same_as<First, descending_t>)
constexpr auto sort(const X& x, const First& first, const More&... more) {
  const auto refused =
      detail::refuse_call<sentence{"sort"}, detail::axis_and_order, sentence{"<1>(x, tl::descending)"}>(
          x, first, more...);
  return values_and_indices{refused, refused};
}

}  // namespace tapeless
