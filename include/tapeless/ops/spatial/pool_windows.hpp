// SPDX-License-Identifier: BSL-1.0
// What max and average pooling share: the windows that options describe, and the check of the operand.
#pragma once

#include <tapeless/ops/spatial/pool_node.hpp>
#include <tapeless/ops/spatial/pool_options.hpp>

namespace tapeless::detail {

constexpr spatial_windows windows_of(const pool& options, int axes) {
  spatial_windows w{.axes = axes};
  for (int s = 0; s < axes; ++s) {
    const int size = options.kernel.along(s, axes), stride = options.stride.along(s, axes);
    w.along[s] = {.size = size, .stride = stride == 0 ? size : stride};
    w.padding[s] = options.padding.along(s, axes);
  }
  return w;
}

/// What options all pools reject.
constexpr bool are_possible(const pool& o, int axes) {
  for (int s = 2 - axes; s < 2; ++s)
    if (o.kernel.along(s, 2) < 1 || o.stride.along(s, 2) < 0 || o.padding.along(s, 2) < 0 ||
        2 * o.padding.along(s, 2) > o.kernel.along(s, 2))
      return false;
  return true;
}

/// Whether x is [batch, channels, L...] of floating numbers; an error otherwise.
constexpr bool require_image(std::string_view op, value x, int axes) {
  if (x.rank() == 2 + axes && is_floating(x.type())) return true;
  text t;
  t << op << " got " << name_of(x.type());
  x.builder->describe_shape(t, x.get());
  x.fail(t << ": it takes floating numbers, [batch, channels, "
           << (axes == 1 ? "length]" : "height, width]"));
  return false;
}

/// Whether each element of x is in one window. Such windows are but another view of x: a pool of them is an
/// ordinary reduction, which is fused with what is around it.
constexpr bool are_tiles(value x, const spatial_windows& w) {
  for (int s = 0; s < w.axes; ++s)
    if (w.padding[s] != 0 || !are_tiles(w.along[s], x.get().shape[2 + s])) return false;
  return true;
}

}  // namespace tapeless::detail

namespace tapeless {

/// The statement of a pool over one or two spatial axes. An Operation has
///   names                     for one axis and for two
///   build(x, windows, pool)   its value for windows that fit
template <class Operation, int Axes, pool Options>
struct pool_statement {
  static_assert(detail::are_possible(Options, Axes),
                "tapeless: a pool takes a kernel of 1 or more, and a padding of at most half of it");
  static constexpr std::string_view name = Operation::names[Axes - 1];
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_image(name, x, Axes)) return x;
    const spatial_windows w = detail::windows_of(Options, Axes);
    return detail::require_room(name, x, w) ? Operation::build(x, w, Options) : x;
  }
};

}  // namespace tapeless
