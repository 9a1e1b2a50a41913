// SPDX-License-Identifier: BSL-1.0
// Poolings of some planes, packed so that an element of all windows is a run of neighbours: see
// packed_planes.hpp. Vectors go over positions, whatever the windows are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <tapeless/graph/core/operation.hpp>
#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/plan/families/planned_pooling.hpp>
#include <tapeless/run/cpu/convolution/packed_planes.hpp>
#include <tapeless/run/cpu/vectors/vector_arithmetic.hpp>

namespace tapeless::cpu_kernels {

/// Where the windows of a pooling are: the image's element k of the window at position p is element p + k /
/// stride of phase k % stride.
class pooling_geometry {
  static constexpr std::int64_t numbers_of_block = 1 << 12;  // of a packed operand: all stay in the L1 cache

 public:
  image_phases image, position;
  std::int64_t kernel[2], reach[2];

  constexpr explicit pooling_geometry(const pooling_arguments& c) : counts_padding_(c.counts_padding) {
    image.channels = position.channels = 1;
    for (int d = 0; d < 2; ++d) {
      kernel[d] = c.kernel[d];
      reach[d] = (c.kernel[d] - 1) / c.stride[d];
      image.extent[d] = c.image[d];
      image.stride[d] = c.stride[d];
      image.origin[d] = c.padding[d];
      image.phases[d] = std::min(c.stride[d], c.kernel[d]);
      position.extent[d] = c.positions[d];
    }
  }

  /// So many planes are packed at once.
  constexpr std::int64_t planes_at_once(std::int64_t all) const {
    return std::clamp<std::int64_t>(numbers_of_block / planes(1).plane() / phases(), 1,
                                    std::max<std::int64_t>(all, 1));
  }
  constexpr packed_planes planes(std::int64_t count) const {
    return {count, 0, position.extent[0] + reach[0], 0, position.extent[1] + reach[1]};
  }
  constexpr std::int64_t phases() const { return image.phases[0] * image.phases[1]; }

  /// f(offset) of a window's elements.
  template <class F>
  constexpr void for_each_tap(const packed_planes& planes, F f) const {
    for (std::int64_t i = 0; i < kernel[0]; ++i)
      for (std::int64_t j = 0; j < kernel[1]; ++j) f(offset_of_tap(planes, i, j));
  }
  /// The same from the last one on: so the windows that hold an element come in the order of their positions.
  template <class F>
  constexpr void for_each_tap_backward(const packed_planes& planes, F f) const {
    for (std::int64_t i = kernel[0] - 1; i >= 0; --i)
      for (std::int64_t j = kernel[1] - 1; j >= 0; --j) f(offset_of_tap(planes, i, j));
  }

  /// How many elements a mean is of.
  constexpr std::int64_t elements(std::int64_t row, std::int64_t column) const {
    if (counts_padding_) return kernel[0] * kernel[1];
    const auto inside = [&](int d, std::int64_t p) {
      const std::int64_t first = p * image.stride[d] - image.origin[d];
      return std::min(first + kernel[d], image.extent[d]) - std::max<std::int64_t>(first, 0);
    };
    return inside(0, row) * inside(1, column);
  }

 private:
  bool counts_padding_;

  constexpr std::int64_t offset_of_tap(const packed_planes& planes, std::int64_t i, std::int64_t j) const {
    const std::int64_t phase = i % image.stride[0] * image.phases[1] + j % image.stride[1];
    return phase * planes.channel() + i / image.stride[0] * planes.columns + j / image.stride[1];
  }
};

/// Packed operands: the first three of the image, the others of positions, with room for a vector behind
/// each.
template <class Number>
class packed_pooling {
 public:
  packed_pooling(const pooling_geometry& g, const packed_planes& planes, Number* room) {
    const std::int64_t width = packet_size<Number>;
    positions = (planes.channel() + width - 1) / width * width;
    of_image = g.phases() * planes.channel() + width;
    x = room;
    v = x + of_image;
    sums = v + of_image;
    y = sums + of_image;
    s = y + positions;
  }
  /// Numbers of room that `planes` planes take.
  static constexpr std::int64_t room(const pooling_geometry& g, std::int64_t planes) {
    const std::int64_t plane = g.planes(planes).channel();
    return 3 * (g.phases() * plane + packet_size<Number>)+2 * (plane + packet_size<Number>);
  }

  std::int64_t positions, of_image;
  Number *x, *v, *sums, *y, *s;
};

namespace detail {

/// y[p] = the largest x of window p; or the sum.
template <pooling_kind Computes, class Number>
void look_through_windows(const pooling_geometry& g, const packed_planes& planes,
                          const packed_pooling<Number>& p, bool has_v) {
  for (std::int64_t at = 0; at < p.positions; at += packet_size<Number>) {
    wide<Number> result =
        splat(Computes == pooling_kind::largest ? max_reduction_operation::identity<Number> : Number(0));
    const wide<Number> y = load(p.y + at), one = splat(Number(1)), zero = splat(Number(0));
    g.for_each_tap(planes, [&](std::int64_t offset) {
      const wide<Number> x = load(p.x + offset + at);
      if constexpr (Computes == pooling_kind::largest) {
        result = max_reduction_operation::combine(result, x);
      } else if constexpr (Computes == pooling_kind::mean) {
        result = result + x;
      } else {
        result = result + choose(x == y, has_v ? load(p.v + offset + at) : one, zero);
      }
    });
    store(p.s + at, result);
  }
}

/// Adds s[p] to the sums of all elements of window p, or of those that are y[p].
template <pooling_kind Computes, class Number>
void add_to_windows(const pooling_geometry& g, const packed_planes& planes, const packed_pooling<Number>& p) {
  std::fill_n(p.sums, p.of_image, Number(0));
  g.for_each_tap_backward(planes, [&](std::int64_t offset) {
    for (std::int64_t at = 0; at < p.positions; at += packet_size<Number>) {
      wide<Number> s = load(p.s + at);
      if constexpr (Computes == pooling_kind::shared)
        s = choose(load(p.x + offset + at) == load(p.y + at), s, splat(Number(0)));
      Number* const sums = p.sums + offset + at;
      store(sums, load(sums) + s);
    }
  });
}

}  // namespace detail

/// Computes neighbouring planes of a pooling; the sources and the target start with the first of them.
template <pooling_kind Computes, class Number, class T>
void pool_planes(const pooling_geometry& g, std::int64_t count, const T* const (&sources)[3], T* target,
                 Number* room) {
  const packed_planes planes = g.planes(count);
  const packed_pooling<Number> p(g, planes, room);
  constexpr Number nan = std::numeric_limits<Number>::quiet_NaN();  // equals nothing
  constexpr bool compares = Computes == pooling_kind::tied || Computes == pooling_kind::shared;
  const auto pack_image = [&](const T* from, Number outside, Number* to) {
    pack(g.image, 1, planes, from, outside, to);
    std::fill_n(to + g.phases() * planes.channel(), packet_size<Number>, outside);
  };
  const auto pack_positions = [&](const T* from, Number outside, Number* to) {
    pack(g.position, 1, planes, from, outside, to);
    std::fill_n(to + planes.channel(), p.positions - planes.channel(), outside);
  };
  const auto for_each_mean = [&](Number* sums) {
    for (std::int64_t n = 0; n < count; ++n)
      for (std::int64_t i = 0; i < g.position.extent[0]; ++i)
        for (std::int64_t j = 0; j < g.position.extent[1]; ++j)
          sums[(n * planes.rows + i) * planes.columns + j] /= static_cast<Number>(g.elements(i, j));
  };

  if constexpr (Computes == pooling_kind::largest)
    pack_image(sources[0], max_reduction_operation::identity<Number>, p.x);
  if constexpr (Computes == pooling_kind::mean) pack_image(sources[0], Number(0), p.x);
  if constexpr (compares) {
    pack_image(sources[0], nan, p.x);
    pack_positions(sources[1], nan, p.y);
  }
  if constexpr (gives_image(Computes)) {
    pack_positions(sources[Computes == pooling_kind::spread ? 0 : 2], Number(0), p.s);
    if constexpr (Computes == pooling_kind::spread) for_each_mean(p.s);
    detail::add_to_windows<Computes>(g, planes, p);
    std::fill_n(target, count * g.image.elements(), static_cast<T>(Number(0)));
    for (std::int64_t a = 0; a < g.image.phases[0]; ++a)
      for (std::int64_t b = 0; b < g.image.phases[1]; ++b)
        unpack(g.image, a, b, planes, planes.rows, planes.columns,
               p.sums + (a * g.image.phases[1] + b) * planes.channel(), target);
  } else {
    if (sources[2] != nullptr) pack_image(sources[2], Number(0), p.v);
    detail::look_through_windows<Computes>(g, planes, p, sources[2] != nullptr);
    if constexpr (Computes == pooling_kind::mean) for_each_mean(p.s);
    unpack(g.position, 0, 0, planes, g.position.extent[0], g.position.extent[1], p.s, target);
  }
}

}  // namespace tapeless::cpu_kernels
