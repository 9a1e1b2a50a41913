// SPDX-License-Identifier: BSL-1.0
// at<i, j, ...>(x): one element, or the part of x behind it.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

template <std::int64_t... Index>
struct at_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const std::int64_t index[] = {Index...};
    constexpr int count = sizeof...(Index);
    const shape_list whole = shape_of(x);
    value part = x;
    for (int i = 0; i < count; ++i) {
      const std::int64_t extent = i < whole.rank ? whole.extents[i] : 0;
      const bool literal = extent_table::is_literal(extent);
      if (i >= whole.rank || (literal && (index[i] < -extent || index[i] >= extent))) {
        text t = detail::shape_sentence("at", x);
        return x.fail(t << ": it has no element " << index[i] << " along axis " << i);
      }
      const std::int64_t at = index[i] >= 0 ? index[i] : x.builder->extents.subtract(extent, -index[i]);
      part = slice(part, i, at, 1, 1);
    }
    shape_list s{whole.rank - count, {}};
    for (int i = 0; i < s.rank; ++i) s.extents[i] = whole.extents[count + i];
    return reshape(part, s);
  }
};

/// x[i][j]...: at<0>(x) of a vector is its first element, at<-1>(x) of a matrix its last row. Negative
/// indices count from the end.
/// @formula y[..] = x[Index...][..]
/// @shapes [a, b, ..] -> [..], without the first axes
/// @errors shapes
/// @torch x[i]
/// @jax x[i]
/// @given x = [[1, 2], [3, 4], [5, 6]]
/// @gives tl::at<-1>(x) = [5, 6]
/// @gives tl::at<0, 1>(x) = 2
template <std::int64_t... Index>
constexpr value at(is_value auto x) {
  return make<at_statement<Index...>>(x);
}
template <std::int64_t... Index>
TAPELESS_FACTORY auto at(expression_operand auto x) {
  return make<at_statement<Index...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous at(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
