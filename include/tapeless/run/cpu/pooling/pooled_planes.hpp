// SPDX-License-Identifier: BSL-1.0
// Poolings of some planes, packed so that an element of all windows is a run of neighbours: see
// packed_planes.hpp. Vectors go over positions, whatever the windows are.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/graph/core/operation.hpp>
#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/plan/families/planned_pooling.hpp>
#include <tapeless/run/cpu/convolution/packed_planes.hpp>
#include <tapeless/run/cpu/vectors/vector_selection.hpp>

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

  /// f(offset) of a window's elements, row by row.
  template <class F>
  [[gnu::always_inline]] constexpr void for_each_tap(const packed_planes& planes, F f) const {
    for (taps_along rows{image.stride[0], kernel[0]}; rows.is_inside(); rows.next()) {
      const std::int64_t phases = rows.phase * image.phases[1] * planes.channel();
      for (taps_along columns{image.stride[1], kernel[1]}; columns.is_inside(); columns.next())
        f(phases + columns.phase * planes.channel() + rows.step * planes.columns + columns.step);
    }
  }
  /// f(distance) of the windows that hold an element of phase (a, b), in the order of their positions: so far
  /// before it they are.
  template <class F>
  [[gnu::always_inline]] constexpr void for_each_window(const packed_planes& planes, std::int64_t a,
                                                        std::int64_t b, F f) const {
    for (std::int64_t i = last_step(0, a); i >= 0; --i)
      for (std::int64_t j = last_step(1, b); j >= 0; --j) f(i * planes.columns + j);
  }
  /// The largest of these distances.
  constexpr std::int64_t largest_distance(const packed_planes& planes) const {
    return reach[0] * planes.columns + reach[1];
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

  /// The elements of a window along an axis: each is so many steps of the stride and a phase behind the
  /// first.
  struct taps_along {
    std::int64_t stride, size, phase = 0, step = 0;
    constexpr bool is_inside() const { return step * stride + phase < size; }
    constexpr void next() {
      if (++phase < stride) return;
      phase = 0;
      ++step;
    }
  };
  constexpr std::int64_t last_step(int axis, std::int64_t phase) const {
    return (kernel[axis] - 1 - phase) / image.stride[axis];
  }
};

/// Packed operands: the first three of the image, the others of positions, with room for some vectors behind
/// each and for the positions that elements look back to before them.
template <class Number>
class packed_pooling {
 public:
  static constexpr int vectors_at_once = 4;

  packed_pooling(const pooling_geometry& g, const packed_planes& planes, Number* room)
      : before(g.largest_distance(planes)) {
    constexpr std::int64_t block = vectors_at_once * packet_size<Number>;
    positions = (planes.channel() + block - 1) / block * block;
    of_image = g.phases() * planes.channel() + block;
    x = room;
    v = x + of_image;
    sums = v + of_image;
    y = sums + of_image + before;
    s = y + positions + before;
  }
  /// Numbers of room that `planes` planes take.
  static constexpr std::int64_t room(const pooling_geometry& g, std::int64_t planes) {
    const packed_planes packed = g.planes(planes);
    constexpr std::int64_t block = vectors_at_once * packet_size<Number>;
    return 3 * (g.phases() * packed.channel() + block) +
           2 * (g.largest_distance(packed) + packed.channel() + block);
  }

  std::int64_t before, positions, of_image;
  Number *x, *v, *sums, *y, *s;
};

namespace detail {

/// y[p] = the largest x of window p; or the sum. Several vectors at once, as each waits for its last sum.
template <pooling_kind Computes, class Number>
void look_through_windows(const pooling_geometry& g, const packed_planes& planes,
                          const packed_pooling<Number>& p, bool has_v) {
  constexpr int vectors = packed_pooling<Number>::vectors_at_once;
  const wide<Number> one = splat(Number(1)), zero = splat(Number(0));
  for (std::int64_t at = 0; at < p.positions; at += vectors * packet_size<Number>) {
    wide<Number> result[vectors], y[vectors];
    for (int k = 0; k < vectors; ++k) {
      result[k] =
          splat(Computes == pooling_kind::largest ? max_reduction_operation::identity<Number> : Number(0));
      if constexpr (Computes == pooling_kind::tied) y[k] = load(p.y + at + k * packet_size<Number>);
    }
    g.for_each_tap(planes, [&](std::int64_t offset) TAPELESS_INLINED {
      for (int k = 0; k < vectors; ++k) {
        const std::int64_t here = offset + at + k * packet_size<Number>;
        const wide<Number> x = load(p.x + here);
        if constexpr (Computes == pooling_kind::largest) {
          result[k] = max_reduction_operation::combine(result[k], x);
        } else if constexpr (Computes == pooling_kind::mean) {
          result[k] = result[k] + x;
        } else {
          result[k] = result[k] + choose(x == y[k], has_v ? load(p.v + here) : one, zero);
        }
      }
    });
    for (int k = 0; k < vectors; ++k) store(p.s + at + k * packet_size<Number>, result[k]);
  }
}

/// The sum of s[p] over the windows p that hold an element, or over those whose y[p] it is; for the elements
/// of a phase.
template <pooling_kind Computes, class Number>
void look_through_positions(const pooling_geometry& g, const packed_planes& planes,
                            const packed_pooling<Number>& p, std::int64_t a, std::int64_t b) {
  constexpr int vectors = packed_pooling<Number>::vectors_at_once;
  const std::int64_t phase = (a * g.image.phases[1] + b) * planes.channel();
  for (std::int64_t at = 0; at < p.positions; at += vectors * packet_size<Number>) {
    wide<Number> sums[vectors], x[vectors];
    for (int k = 0; k < vectors; ++k) {
      sums[k] = splat(Number(0));
      if constexpr (Computes == pooling_kind::shared) x[k] = load(p.x + phase + at + k * packet_size<Number>);
    }
    g.for_each_window(planes, a, b, [&](std::int64_t distance) TAPELESS_INLINED {
      for (int k = 0; k < vectors; ++k) {
        const std::int64_t here = at + k * packet_size<Number> - distance;
        wide<Number> s = load(p.s + here);
        if constexpr (Computes == pooling_kind::shared)
          s = choose(x[k] == load(p.y + here), s, splat(Number(0)));
        sums[k] = sums[k] + s;
      }
    });
    for (int k = 0; k < vectors; ++k) store(p.sums + phase + at + k * packet_size<Number>, sums[k]);
  }
}

}  // namespace detail

/// Computes neighbouring planes of a pooling; the sources and the target start with the first of them.
template <pooling_kind Computes, class Number, class T>
void pool_planes(const pooling_geometry& g, std::int64_t count, const T* const (&sources)[3], T* target,
                 Number* room) {
  const packed_planes planes = g.planes(count);
  const packed_pooling<Number> p(g, planes, room);
  // What lies outside equals nothing.
  constexpr Number no_element = only_finite ? above_all<Number> : no_number<Number>,
                   no_largest = only_finite ? below_all<Number> : no_number<Number>;
  constexpr bool compares = Computes == pooling_kind::tied || Computes == pooling_kind::shared;
  const auto pack_image = [&](const T* from, Number outside, Number* to) {
    pack(g.image, 1, planes, from, outside, to);
    std::fill(to + g.phases() * planes.channel(), to + p.of_image, outside);
  };
  const auto pack_positions = [&](const T* from, Number outside, Number* to) {
    std::fill_n(to - p.before, p.before, outside);
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
    pack_image(sources[0], no_element, p.x);
    pack_positions(sources[1], no_largest, p.y);
  }
  if constexpr (gives_image(Computes)) {
    pack_positions(sources[Computes == pooling_kind::spread ? 0 : 2], Number(0), p.s);
    if constexpr (Computes == pooling_kind::spread) for_each_mean(p.s);
    std::fill_n(target, count * g.image.elements(), static_cast<T>(Number(0)));
    for (std::int64_t a = 0; a < g.image.phases[0]; ++a)
      for (std::int64_t b = 0; b < g.image.phases[1]; ++b) {
        detail::look_through_positions<Computes>(g, planes, p, a, b);
        unpack(g.image, a, b, planes, planes.rows, planes.columns,
               p.sums + (a * g.image.phases[1] + b) * planes.channel(), target);
      }
  } else {
    if (sources[2] != nullptr) pack_image(sources[2], Number(0), p.v);
    detail::look_through_windows<Computes>(g, planes, p, sources[2] != nullptr);
    if constexpr (Computes == pooling_kind::mean) for_each_mean(p.s);
    unpack(g.position, 0, 0, planes, g.position.extent[0], g.position.extent[1], p.s, target);
  }
}

}  // namespace tapeless::cpu_kernels
