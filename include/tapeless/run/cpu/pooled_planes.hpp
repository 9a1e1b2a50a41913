// SPDX-License-Identifier: BSL-1.0
// Poolings of one plane, row by row of each window, by vectors of neighbouring positions.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/graph/core/operation.hpp>
#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/plan/families/planned_pooling.hpp>
#include <tapeless/run/cpu/vector_arithmetic.hpp>

namespace tapeless::cpu_kernels {

/// The planes of a pooling, one channel of one image each.
template <class T>
struct pooled_planes {
  const T* x;  // of the image; of a mean's transpose, of the positions
  const T* y;  // of the positions
  const T* v;  // of a sum over ties: of the image, or null for ones; of its transpose: of the positions
  T* target;
};

namespace detail {

struct range_of {
  std::int64_t begin, end;
};

/// The windows of a plane.
struct plane_windows {
  std::int64_t image[2], kernel[2], positions[2], stride[2], padding[2];
  bool counts_padding;

  constexpr explicit plane_windows(const pooling_arguments& c) : counts_padding(c.counts_padding) {
    for (int d = 0; d < 2; ++d) {
      image[d] = c.image[d];
      kernel[d] = c.kernel[d];
      positions[d] = c.positions[d];
      stride[d] = c.stride[d];
      padding[d] = c.padding[d];
    }
  }
  /// Elements of the window at position p that are inside the image, counted from its first one.
  constexpr range_of inside(int d, std::int64_t p) const {
    const std::int64_t first = p * stride[d] - padding[d];
    return {std::max<std::int64_t>(0, -first), std::min(kernel[d], image[d] - first)};
  }
  /// The positions whose windows have their element k inside the image.
  constexpr range_of positions_of(int d, std::int64_t k) const {
    const std::int64_t s = stride[d], before = padding[d] - k, behind = image[d] + padding[d] - k;
    const std::int64_t begin = before <= 0 ? 0 : (before + s - 1) / s;
    const std::int64_t end = behind <= 0 ? 0 : (behind + s - 1) / s;
    return {begin, std::min(end, positions[d])};
  }
  template <class T>
  constexpr T count(std::int64_t i, std::int64_t j) const {
    if (counts_padding) return static_cast<T>(kernel[0] * kernel[1]);
    const range_of down = inside(0, i), across = inside(1, j);
    return static_cast<T>((down.end - down.begin) * (across.end - across.begin));
  }
};

/// f(i, row, j) for each row and element of windows in turn, the window's first row and last element first:
/// all positions (i, p), p in j, see the image's element [row][p * stride + element - padding].
template <class F>
void for_each_window_row(const plane_windows& w, F f) {
  for (std::int64_t i = 0; i < w.positions[0]; ++i) {
    const range_of down = w.inside(0, i);
    for (std::int64_t k = down.begin; k < down.end; ++k)
      for (std::int64_t e = w.kernel[1] - 1; e >= 0; --e) {
        const range_of j = w.positions_of(1, e);
        if (j.begin < j.end)
          f(i, (i * w.stride[0] + k - w.padding[0]) * w.image[1] + j.begin * w.stride[1] + e - w.padding[1],
            j);
      }
  }
}

/// f(number) for all of a run, by vectors and then one by one: with its place, whose type says which.
template <class T, class F>
void for_each_vector(std::int64_t count, F f) {
  std::int64_t n = 0;
  for (; n + packet_size<T> <= count; n += packet_size<T>) f(n, wide<T>{});
  for (; n < count; ++n) f(n, T{});
}
template <class T>
void read(const T* from, std::int64_t stride, T& to) {
  (void)stride;
  to = *from;
}
template <class T>
void read(const T* from, std::int64_t stride, wide<T>& to) {
  to = stride == 1 ? load(from) : load(from, stride);
}
template <class T>
void write(T* to, std::int64_t, T x) {
  *to = x;
}
template <class T>
void write(T* to, std::int64_t stride, wide<T> x) {
  stride == 1 ? store(to, x) : store(to, stride, x);
}

}  // namespace detail

/// Computes one plane of a pooling.
template <pooling_kind Computes, class T>
void pool_plane(const detail::plane_windows& w, const pooled_planes<T>& p) {
  using tapeless::choose, tapeless::number_like;  // of one number; ADL finds those of vectors
  const std::int64_t stride = w.stride[1], row_length = w.positions[1];
  constexpr bool to_image = gives_image(Computes);
  std::fill_n(p.target, to_image ? w.image[0] * w.image[1] : w.positions[0] * w.positions[1],
              Computes == pooling_kind::largest ? max_reduction_operation::identity<T> : T(0));
  detail::for_each_window_row(w, [&](std::int64_t i, std::int64_t seen, detail::range_of j) {
    const std::int64_t first = i * row_length + j.begin;
    detail::for_each_vector<T>(j.end - j.begin, [&]<class Number>(std::int64_t n, Number number) {
      const std::int64_t at = first + n, place = seen + n * stride;
      Number x = number, y = number, v = number, sum = number;
      if constexpr (to_image) {
        detail::read(p.target + place, stride, sum);
      } else {
        detail::read(p.target + at, 1, sum);
      }
      if constexpr (Computes == pooling_kind::spread) {
        detail::read(p.x + at, 1, v);
      } else {
        detail::read(p.x + place, stride, x);
      }
      if constexpr (Computes == pooling_kind::tied || Computes == pooling_kind::shared) {
        const Number zero = number_like(x, 0);
        detail::read(p.y + at, 1, y);
        v = number_like(x, 1);
        if constexpr (Computes == pooling_kind::shared) {
          detail::read(p.v + at, 1, v);
        } else if (p.v != nullptr) {
          detail::read(p.v + place, stride, v);
        }
        v = choose(x == y, v, zero);
      }
      if constexpr (Computes == pooling_kind::largest) {
        sum = max_reduction_operation::combine(sum, x);
      } else if constexpr (Computes == pooling_kind::mean) {
        sum = sum + x;
      } else {
        sum = sum + v;
      }
      if constexpr (to_image) {
        detail::write(p.target + place, stride, sum);
      } else {
        detail::write(p.target + at, 1, sum);
      }
    });
  });
  if constexpr (Computes == pooling_kind::mean)
    for (std::int64_t i = 0; i < w.positions[0]; ++i)
      for (std::int64_t j = 0; j < row_length; ++j) p.target[i * row_length + j] /= w.count<T>(i, j);
}

}  // namespace tapeless::cpu_kernels
