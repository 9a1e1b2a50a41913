// SPDX-License-Identifier: BSL-1.0
// What max and average pooling share: the windows that options describe, the check of the operand, and what
// is said where the options are something else.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/spatial/pool_node.hpp>
#include <tapeless/ops/spatial/pool_options.hpp>

namespace tapeless::detail {

inline constexpr sentence options_are_a_pool{"a pooling has its options as a template argument"};
inline constexpr sentence pool_of_x{"<tl::pool{.kernel = 2}>(x)"};

constexpr spatial_windows windows_of(const pool& options, int axes) {
  spatial_windows w{.axes = axes};
  for (int s = 0; s < axes; ++s) {
    const int size = options.kernel.along(s, axes), stride = options.stride.along(s, axes);
    w.along[s] = {.size = size,
                  .stride = stride == 0 ? size : stride,
                  .dilation = size == 1 ? 1 : options.dilation.along(s, axes)};
    w.padding[s] = options.padding.along(s, axes);
  }
  return w;
}

/// What is said of options that no pool can have.
constexpr text refused_options(std::string_view op, const pool& o, int axes) {
  if (!(o.kernel.fits(axes) && o.stride.fits(axes) && o.padding.fits(axes) && o.dilation.fits(axes)))
    return text() << op << ": an option of a pool takes one number, or one for each spatial axis";
  text t = refused_below(1, op, "kernel", o.kernel, axes);
  if (t.empty()) t = refused_below(0, op, "stride", o.stride, axes);
  if (t.empty()) t = refused_below(1, op, "dilation", o.dilation, axes);
  if (t.empty()) t = refused_below(0, op, "padding", o.padding, axes);
  for (int s = 0; s < axes && t.empty(); ++s) {
    const int span = o.dilation.along(s, axes) * (o.kernel.along(s, axes) - 1) + 1;
    if (const int padding = o.padding.along(s, axes); padding > span / 2)
      t << op << " takes a padding of at most half of what a window spans, which is " << span << ", but got "
        << padding;
  }
  return t;
}

/// How much further than its padding x goes on behind each spatial axis, so that windows rounded down are as
/// many as ceil_mode asks for: rounded up, of those alone that begin in x or in the padding before it.
struct elements_behind {
  std::int64_t along[max_spatial] = {};
};
constexpr elements_behind behind(const spatial_windows& w, const pool& options) {
  elements_behind b;
  for (int s = 0; s < w.axes && options.ceil_mode; ++s) {
    const std::int64_t room = w.padding[s] + w.along[s].stride - 1, span = span_of(w.along[s]) - 1;
    b.along[s] = (room < span ? room : span) - w.padding[s];
  }
  return b;
}
constexpr value pad_behind(value x, const elements_behind& behind) {
  for (int s = 0; s + 2 < x.rank(); ++s)
    x = pad(x, 2 + s, 0, 1, x.builder->extents.add(x.get().shape[2 + s], behind.along[s]));
  return x;
}

/// Whether x is [batch, channels, L...] of floating numbers; an error otherwise.
constexpr bool require_image(std::string_view op, value x, int axes) {
  if (x.rank() == 2 + axes && is_floating(x.type())) return true;
  text t;
  t << op << " got " << name_of(x.type());
  x.builder->describe_shape(t, x.get());
  x.fail(t << ": it takes floating numbers, [batch, channels, " << image_axes(axes) << "]");
  return false;
}

/// The same windows as tiles where one is all that x has room for.
constexpr spatial_windows windows_in(value x, spatial_windows w) {
  for (int s = 0; s < w.axes; ++s)
    if (w.padding[s] == 0 && w.along[s].dilation == 1 && w.along[s].size == x.get().shape[2 + s])
      w.along[s].stride = w.along[s].size;
  return w;
}

/// Whether backends have a kernel for a pool with such windows. A pool of one window, which has all elements,
/// is an ordinary reduction, which is fused with what is around it.
constexpr bool has_kernel(value x, const spatial_windows& w) {
  bool is_one_window = true;
  for (int s = 0; s < w.axes; ++s) {
    if (w.along[s].dilation != 1) return false;
    is_one_window = is_one_window && w.padding[s] == 0 && w.along[s].size == x.get().shape[2 + s];
  }
  return w.axes < 3 && !is_one_window;
}

}  // namespace tapeless::detail

namespace tapeless {

/// The statement of a pool over spatial axes. An Operation has
///   names                     for one axis, for two, and so on
///   is_mean                   whether it reads divisor_override; otherwise it reads dilation
///   build(x, windows, pool)   its value for windows that fit
/// and may have
///   refusal(pool)             what it says of options that other pools take
template <class Operation, int Axes, pool Options>
struct pool_statement {
  static constexpr std::string_view name = Operation::names[Axes - 1];
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (Operation::is_mean ? !(Options.dilation == spatial_extents(1)) : Options.divisor_override != 0)
      return text() << name << ": of pools, max pools alone take a dilation, means alone a divisor_override";
    text t = detail::refused_options(name, Options, Axes);
    if constexpr (requires { Operation::refusal(Options); })
      if (t.empty()) return Operation::refusal(Options);
    return t;
  }
  static constexpr value build(value x) {
    return detail::with_batch(x, 2 + Axes, [](value images) {
      if (!detail::require_image(name, images, Axes)) return images;
      const spatial_windows w = detail::windows_of(Options, Axes);
      const bool fits = detail::require_room(name, images, w, detail::behind(w, Options).along);
      return fits ? Operation::build(images, w, Options) : images;
    });
  }
};

}  // namespace tapeless
