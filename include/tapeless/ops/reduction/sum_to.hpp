// SPDX-License-Identifier: BSL-1.0
// sum_to(g, shape): undoes broadcasting, by summing over the axes that it made.
#pragma once

#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

/// g summed to `shape`, from which g's shape comes by broadcasting; g broadcast to it where g is the smaller.
constexpr value sum_to(value g, const shape_list& shape) {
  if (shape_of(g) == shape) return g;
  const int extra = g.rank() - shape.rank;
  unsigned axes = 0;
  for (int i = 0; i < g.rank(); ++i)
    if (i < extra || (shape.extents[i - extra] == 1 && g.get().shape[i] != 1)) axes |= 1u << i;
  const value summed = reshape(sum_operation::build(g, axes, false), [&] {
    shape_list s = shape;
    for (int i = 0; i < shape.rank; ++i)
      if (i + extra >= 0 && g.get().shape[i + extra] == 1) s.extents[i] = 1;
    for (int i = 0; i < -extra; ++i) s.extents[i] = 1;
    return s;
  }());
  return expand(summed, shape);
}

}  // namespace tapeless
