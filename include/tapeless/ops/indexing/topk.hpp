// SPDX-License-Identifier: BSL-1.0
// topk<count, axis>(x): the largest elements along an axis.
#pragma once

#include <concepts>

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/sort.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

/// What is said beside an operand: the smallest elements are meant.
struct smallest_t {};
inline constexpr smallest_t smallest;

template <std::int64_t Count, int Axis, bool Downward>
struct topk_statement {
  static constexpr std::string_view name = "topk";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::unless_fits(Count >= 1, name, "one element or more", Count);
  }
  static constexpr value build(value x) {
    if (is_axis_of_scalar(x, Axis)) return reshape(build(detail::as_vector(x)), shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0 || !detail::require_kind(name, x, element_kind::numbers)) return x;
    const std::int64_t extent = x.get().shape[axis];
    if (extent_table::is_literal(extent) && extent < Count)
      return x.fail(detail::shape_sentence(name, x)
                    << ": axis " << Axis << " has no " << Count << " elements");
    return slice(detail::argsort(x, axis, {Downward, Count}), axis, 0, 1, Count);
  }
};

/// The Count largest elements along the axis, the largest first, as `values`, and where they were, as
/// `indices`: auto [values, indices] = topk<3>(x); with `smallest` the smallest, the smallest first. Of equal
/// elements the first ones; NaN is larger than every number. The CPU sorts these alone, a GPU all, at
/// argsort's cost. Each run-time extent of the axis must be Count or more.
/// @formula y_0 >= y_1 >= ... >= y_(Count-1), the largest elements of x along the axis
/// @shapes numbers [.., n, ..] -> values [.., Count, ..] and std::int64_t [.., Count, ..]
/// @errors axes_and_counts counts_below_one indexing_as_in_pytorch
/// @torch torch.topk
/// @jax jax.lax.top_k
/// @given x = [[3, 1, 2], [5, 5, 4]]
/// @gives tl::topk<2>(x).values = [[3, 2], [5, 5]]
/// @gives tl::topk<1, 0>(x, tl::smallest).indices = [[0, 0, 0]]
template <std::int64_t Count, int Axis = -1, operand X>
TAPELESS_FACTORY auto topk(X x) {
  const auto indices = make<topk_statement<Count, Axis, true>>(x);
  return values_and_indices{take_along<Axis>(x, indices), indices};
}
template <std::int64_t Count, int Axis = -1, operand X>
TAPELESS_FACTORY auto topk(X x, smallest_t) {
  const auto indices = make<topk_statement<Count, Axis, false>>(x);
  return values_and_indices{take_along<Axis>(x, indices), indices};
}

// Calls as in PyTorch, which are refused.
template <std::int64_t... Numbers, detail::called_with X, class... More>
  requires(sizeof...(Numbers) == 0 || !(std::same_as<More, smallest_t> && ...))
constexpr auto topk(const X& x, const More&... more) {
  const auto refused =
      detail::refuse_call<sentence{"topk"}, sentence{"how many, and the axis, are template arguments"},
                          sentence{"<3, -1>(x)"}>(x, more...);
  return values_and_indices{refused, refused};
}

}  // namespace tapeless
