// SPDX-License-Identifier: BSL-1.0
// flatten<first, last>(x): some axes joined to one.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <int First, int Last>
struct flatten_statement {
  static constexpr std::string_view name = "flatten";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (is_axis_of_scalar(x, First) && is_axis_of_scalar(x, Last)) return detail::as_vector(x);
    const int first = detail::axis_of(name, x, First), last = detail::axis_of(name, x, Last);
    if (first < 0 || last < 0) return x;
    if (last < first)
      return x.fail(detail::shape_sentence(name, x)
                    << ": the last axis, " << Last << ", comes before the first, " << First);
    shape_list s = shape_of(x);
    for (int i = first + 1; i <= last; ++i)
      s.extents[first] = x.builder->extents.multiply(s.extents[first], s.extents[i]);
    for (int i = last + 1; i < s.rank; ++i) s.extents[first + i - last] = s.extents[i];
    s.rank -= last - first;
    return reshape(x, s);
  }
};

/// The axes from First (1: all but the batch) to Last (-1: the last one), joined to one:
/// [n, c, h, w] -> [n, c*h*w].
/// @formula y = x with the axes First to Last joined to one
/// @shapes [n, a, b, ..] -> [n, a b ..]
/// @errors shapes
/// @torch torch.flatten
/// @jax x.reshape(n, -1)
/// @given x = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
/// @gives tl::flatten(x) = [[1, 2, 3, 4], [5, 6, 7, 8]]
template <int First = 1, int Last = -1>
constexpr value flatten(is_value auto x) {
  return make<flatten_statement<First, Last>>(x);
}
template <int First = 1, int Last = -1>
TAPELESS_FACTORY auto flatten(expression_operand auto x) {
  return make<flatten_statement<First, Last>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous flatten(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
