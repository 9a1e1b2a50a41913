// SPDX-License-Identifier: BSL-1.0
// What Fourier transforms share: the transforms without any factor, their transposes, and how the public ones
// crop, scale and place their operands.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/intrinsics.hpp>
#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/slice.hpp>

// The transforms of tl::cpu.
#if __has_include(<unsupported/Eigen/FFT>)
#include <unsupported/Eigen/FFT>
#endif

namespace tapeless {

/// Which one of a pair of transforms has the factor 1 / n: the one back, the one forward, or each its square
/// root.
enum class fft_norm { backward, ortho, forward };

/// Options of Fourier transforms. Axes count without that of the pairs which complex numbers are.
struct fft_options {
  /// Numbers of the signal, an integer or a run-time extent; it is cropped or padded with zeros. 0: as many
  /// as there are.
  extent n = 0;
  int axis = -1;
  fft_norm norm = fft_norm::backward;
};

/// The transform along the last axis, or the last one but that of the pairs, as fourier_kind has it: of n
/// numbers, where it gives real ones. Half of a sum of n real numbers' transform stands for the whole. So in
/// its transpose, which is the backward transform's half of these, all but the first and the middle number
/// count half. They count twice in the transpose of that.
constexpr value fourier(value x, fourier_kind kind, std::int64_t n);

namespace detail {

inline constexpr sentence options_are_template_argument{"its options are a template argument"};

constexpr bool takes_complex(fourier_kind kind) { return kind != fourier_kind::half; }

/// `ends` for the first of n / 2 + 1 numbers, and the middle one of n if n is even; `inner` for the others.
constexpr value by_mirror_images(value like, std::int64_t n, double ends, double inner) {
  graph& g = *like.builder;
  const shape_list column{2, {g.extents.add(g.extents.divide(n, 2), 1), 1}};
  const value k = make_iota(g, column, 0, element::i64), twice = k + k;
  const value is_end = (k == 0.0) || (twice == cast(make_size(g, n), element::i64));
  return where(is_end, make_constant(g, ends, like.type()), make_constant(g, inner, like.type()));
}

}  // namespace detail

struct fft_operation {
  static constexpr value cotangent_of(int, value g, const value*, value) {
    return fourier(g, fourier_kind::backward, 0);
  }
  static constexpr operation op{"fft", fourier_kind::forward, jacobian::linear, &cotangent_of};
};
struct ifft_operation {
  static constexpr value cotangent_of(int, value g, const value*, value) {
    return fourier(g, fourier_kind::forward, 0);
  }
  static constexpr operation op{"ifft", fourier_kind::backward, jacobian::linear, &cotangent_of};
};
struct rfft_operation {
  static constexpr value cotangent_of(int, value g, const value* x, value) {
    const std::int64_t n = x[0].get().shape[x[0].rank() - 1];
    return fourier(g * detail::by_mirror_images(g, n, 1, 0.5), fourier_kind::whole, n);
  }
  static constexpr operation op{"rfft", fourier_kind::half, jacobian::linear, &cotangent_of};
};
struct irfft_operation {
  static constexpr value cotangent_of(int, value g, const value*, value) {
    const value y = fourier(g, fourier_kind::half, 0);
    return y * detail::by_mirror_images(y, g.get().shape[g.rank() - 1], 1, 2);
  }
  static constexpr operation op{"irfft", fourier_kind::whole, jacobian::linear, &cotangent_of};
};

namespace detail {

constexpr const operation& operation_of_kind(fourier_kind kind) {
  switch (kind) {
    case fourier_kind::forward:
      break;
    case fourier_kind::backward:
      return ifft_operation::op;
    case fourier_kind::half:
      return rfft_operation::op;
    case fourier_kind::whole:
      return irfft_operation::op;
  }
  return fft_operation::op;
}

}  // namespace detail

constexpr value fourier(value x, fourier_kind kind, std::int64_t n) {
  if (is_half(x.type())) return cast(fourier(cast(x, element::f32), kind, n), x.type());
  shape_list shape = shape_of(x);
  if (kind == fourier_kind::half) {
    std::int64_t& last = shape.extents[shape.rank - 1];
    last = x.builder->extents.add(x.builder->extents.divide(last, 2), 1);
    shape.extents[shape.rank++] = 2;
  } else if (kind == fourier_kind::whole) {
    shape.extents[--shape.rank - 1] = n;
  }
  return x.insert(detail::unary_node(detail::operation_of_kind(kind), x, shape));
}

namespace detail {

/// Whether x is complex numbers as pairs along a last axis of 2; an error where it is not.
constexpr bool require_complex(std::string_view op, value x) {
  if (!require_kind(op, x, element_kind::floating)) return false;
  if (x.rank() >= 1 && x.get().shape[x.rank() - 1] == 2) return true;
  x.fail(shape_sentence(op, x) << ": complex numbers are pairs along a last axis of 2; complex(x, 0_c) makes "
                                  "them of real ones");
  return false;
}

/// x with axis `axis` moved behind the first `last + 1` axes' others, or back.
constexpr value move_axis(value x, int axis, int last, bool back) {
  int axes[max_rank] = {};
  for (int i = 0; i < x.rank(); ++i) axes[i] = i;
  for (int i = axis; i < last; ++i) axes[back ? i + 1 : i] = back ? i : i + 1;
  axes[back ? axis : last] = back ? last : axis;
  return permute(x, axes);
}

/// The first n numbers along the axis, with zeros behind them where there are fewer.
constexpr value resized(value x, int axis, std::int64_t n) {
  extent_table& extents = x.builder->extents;
  const std::int64_t extent = x.get().shape[axis];
  if (extent == n) return x;
  const bool are_known = extent_table::is_literal(extent) && extent_table::is_literal(n);
  if (are_known && extent < n) return pad(x, axis, 0, 1, n);
  // Of a run-time extent nobody knows whether it is too short.
  if (!are_known) x = pad(x, axis, 0, 1, extents.add(extent, n));
  return slice(x, axis, 0, 1, n);
}

/// What a transform of n numbers is multiplied by, of norm o, if that is not 1.
constexpr value normalized(value y, std::int64_t n, bool forward, fft_norm norm) {
  if (norm == (forward ? fft_norm::backward : fft_norm::forward)) return y;
  const value numbers = make_size(*y.builder, n);
  return y * (1.0 / (norm == fft_norm::ortho ? sqrt(numbers) : numbers));
}

/// The transform of x along its axis; `forward` says which factor its norm stands for. An error where x or
/// the options do not fit.
constexpr value transformed(std::string_view op, value x, fourier_kind kind, bool forward,
                            const fft_options& o) {
  const bool pairs = takes_complex(kind);
  if (pairs ? !require_complex(op, x) : !require_kind(op, x, element_kind::floating)) return x;
  const int rank = x.rank() - (pairs ? 1 : 0), axis = normal_axis(o.axis, rank);
  if (axis < 0) return x.fail(shape_sentence(op, x) << ": it has no axis " << o.axis);
  extent_table& extents = x.builder->extents;
  const std::int64_t extent = x.get().shape[axis];
  if (o.n.value < 0)
    return x.fail(shape_sentence(op, x) << ": a signal of " << o.n.value << " numbers has no transform");
  const bool doubles = kind == fourier_kind::whole && extent != 0;
  const std::int64_t n = o.n != tapeless::extent(0) ? extents.number(o.n)
                         : doubles                  ? extents.multiply(2, extents.subtract(extent, 1))
                                                    : extent;
  if (extent_table::is_literal(n) && n < 1)
    return x.fail(shape_sentence(op, x) << ": a signal of " << n << " numbers has no transform");
  x = resized(x, axis, kind == fourier_kind::whole ? extents.add(extents.divide(n, 2), 1) : n);
  const value y = fourier(move_axis(x, axis, rank - 1, false), kind, n);
  return normalized(move_axis(y, axis, rank - 1, true), n, forward, o.norm);
}

}  // namespace detail

}  // namespace tapeless
