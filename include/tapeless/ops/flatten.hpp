// SPDX-License-Identifier: BSL-1.0
// flatten(x): all axes from one on in one.
#pragma once

#include <tapeless/ops/primitive/reshape.hpp>

namespace tapeless {

template <int First>
struct flatten_cell {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int first = normal_axis(First, x.rank());
    if (first < 0) return x.fail(detail::shape_sentence("flatten", x) << ": it has no axis " << First);
    shape_list s = shape_of(x);
    for (int i = first + 1; i < x.rank(); ++i)
      s.extents[first] = x.owner->extents.multiply(s.extents[first], s.extents[i]);
    s.rank = first + 1;
    return reshape(x, s);
  }
};

/// The axes from First (1: all but the batch) to the last one, joined to one: [n, c, h, w] -> [n, c*h*w].
template <int First = 1>
constexpr auto flatten(expression_operand auto x) {
  return make<flatten_cell<First>>(x);
}

}  // namespace tapeless
