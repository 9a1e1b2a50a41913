// SPDX-License-Identifier: BSL-1.0
// rotary(x), rotary(x, positions): features turned by an angle that grows with the position.
#pragma once

#include <concepts>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cos.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/sin.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/flip.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

/// Options of rotary.
struct rotary_options {
  double base = 10000;       ///< the longest wavelength is nearly 2 pi times this
  bool interleaved = false;  ///< pairs are the features 2i and 2i + 1, not i and i + width / 2
};

namespace detail {

/// ln(x) for x > 0, by Newton's method on the exponential's inverse series.
constexpr double natural_logarithm(double x) {
  int halvings = 0;
  for (; x > 1.5; x /= 2) ++halvings;
  for (; x < 0.75; x *= 2) --halvings;
  const double t = (x - 1) / (x + 1);
  double sum = 0, power = t;
  for (int k = 1; k < 60; k += 2, power *= t * t) sum += power / k;
  return 2 * sum + halvings * 0.69314718055994530942;
}

/// Pairs of x's features turned by position * base^(-2 i / width), where the positions, numbers of any type,
/// broadcast to x and have a last extent of 1; x's last extent is a literal. Angles of 16 bits would not tell
/// positions apart: they are float.
constexpr value turned(value x, value position, const rotary_options& o) {
  graph& g = *x.builder;
  const int last = x.rank() - 1;
  const std::int64_t half = x.get().shape[last] / 2;
  const element type = computed_in(x.type());
  const double slowness = natural_logarithm(o.base) / static_cast<double>(half);
  const value angle = cast(position, type) * exp(make_iota(g, {1, {half}}, 0, type) * -slowness);
  const value c = cast(cos(angle), x.type()), s = cast(sin(angle), x.type());
  if (!o.interleaved) {
    const value a = slice(x, last, 0, 1, half), b = slice(x, last, half, 1, half);
    const value parts[] = {a * c - b * s, b * c + a * s};
    return concat(parts, 2, last);
  }
  const auto with_axis = [](value v, std::int64_t before, std::int64_t behind) {
    shape_list shape = shape_of(v);
    shape.extents[shape.rank - 1] = before;
    shape.extents[shape.rank++] = behind;
    return reshape(v, shape);
  };
  const value pairs = with_axis(x, half, 2);
  const value sign = make_iota(g, {1, {2}}, 0, x.type()) * 2.0 - 1.0;
  const value y = pairs * with_axis(c, half, 1) + flip(pairs, last + 1) * (with_axis(s, half, 1) * sign);
  return reshape(y, shape_of(x));
}

/// The same where positions along the axis count from 0, or from `first`, integers that broadcast to x from
/// the position axis on.
constexpr value rotated(value x, int position_axis, const rotary_options& o, value first = {}) {
  shape_list positions{x.rank() - position_axis, {}};
  for (int i = 0; i < positions.rank; ++i) positions.extents[i] = 1;
  positions.extents[0] = x.get().shape[position_axis];
  const element type = computed_in(x.type());
  value position = make_iota(*x.builder, positions, 0, type);
  if (first.exists()) position = position + cast(first, type);
  return turned(x, position, o);
}

constexpr text rotary_takes(const rotary_options& o) {
  text t;
  t << "floating [.., length, width]";
  if (o.interleaved) t << " of " << max_rank - 1 << " axes at most";
  return t << " with an even number as width";
}
constexpr bool fits_rotary(value x, const rotary_options& o) {
  const std::int64_t width = x.rank() < 2 ? 1 : x.get().shape[x.rank() - 1];
  return is_floating(x.type()) && extent_table::is_literal(width) && width % 2 == 0 &&
         (!o.interleaved || x.rank() < max_rank);
}

constexpr text refused_rotary(const rotary_options& o) {
  if (o.base > 0) return {};
  return text() << "rotary takes a base that is positive, but got " << o.base;
}

}  // namespace detail

template <rotary_options O>
struct rotary_statement {
  static constexpr std::string_view name = "rotary";
  static constexpr text refusal() { return detail::refused_rotary(O); }
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::fits_rotary(x, O)) {
      text t;
      t << name << " got " << name_of(x.type());
      x.builder->describe_shape(t, x.get());
      return x.fail(t << ": it takes " << detail::rotary_takes(O).view());
    }
    return x.get().shape[x.rank() - 1] == 0 ? x : detail::rotated(x, x.rank() - 2, O);
  }
};

template <rotary_options O>
struct rotary_at_statement {
  static constexpr std::string_view name = "rotary";
  static constexpr text refusal() { return detail::refused_rotary(O); }
  static constexpr int arity = 2;
  static constexpr value build(value x, value positions) {
    if (!detail::fits_rotary(x, O) || !detail::is_index(positions) || !fit(x, positions)) {
      text takes = detail::rotary_takes(O);
      takes << ", and integers [length], [1, length], or [batch, length] where batch is the first axis of x";
      return detail::do_not_fit(name, {{"x", x}, {"positions", positions}}, takes.view());
    }
    if (x.get().shape[x.rank() - 1] == 0) return x;
    shape_list s{x.rank(), {}};
    for (int i = 0; i < s.rank; ++i) s.extents[i] = 1;
    s.extents[s.rank - 2] = x.get().shape[x.rank() - 2];
    if (positions.rank() == 2) s.extents[0] = positions.get().shape[0];
    return detail::turned(x, reshape(positions, s), O);
  }

 private:
  static constexpr bool fit(value x, value positions) {
    const int rank = positions.rank();
    if (rank < 1 || rank > 2 || rank >= x.rank()) return false;
    const auto& p = positions.get().shape;
    const auto& s = x.get().shape;
    return p[rank - 1] == s[x.rank() - 2] && (rank == 1 || p[0] == 1 || p[0] == s[0]);
  }
};

/// Rotary positions (Su et al., 2021, in the order of GPT-NeoX): for position p, the features i and
/// i + width / 2 of x [.., length, width] are turned, as a vector in the plane, by the angle
/// p Base^(-2 i / width). The scalar product of two of its rows depends on the difference of their positions,
/// not on these. The positions count from 0, or are given: integers [length], [1, length], or [batch, length]
/// with the first axis of x as batch, which all axes between share, e.g. the heads of [batch, heads, length,
/// width]. That is what padding on the left and several texts in a row take (position_ids of transformers);
/// any integers may stand there, negative ones, too. Angles are computed in float at least. Options name the
/// base, or the other order of features: rotary<rotary_options{.base = 500000, .interleaved = true}>(x) turns
/// the neighbours 2i and 2i + 1, as GPT-J and Meta's own Llama do.
/// @formula (y_i, y_(i+w/2)) = (x_i, x_(i+w/2)) turned by p Base^(-2 i / w)
/// @shapes floating [.., length, width], width even, and perhaps integers [length], [1, length] or [batch,
/// length] -> the same
/// @errors rotary rotary_positions
/// @torch none in torch: apply_rotary_pos_emb of transformers
/// @jax none: written out in flax models
/// @given x = [[1, 0], [1, 0], [1, 0]]; positions = int32 [2, 0, 1]
/// @gives tl::rotary(x) = [[1, 0], [0.5403, 0.8415], [-0.4161, 0.9093]]
/// @gives tl::rotary(x, positions) = [[-0.4161, 0.9093], [1, 0], [0.5403, 0.8415]]
template <double Base = 10000.0>
TAPELESS_FACTORY auto rotary(operand auto x) {
  return make<rotary_statement<rotary_options{.base = Base}>>(x);
}
template <std::integral auto Base>
TAPELESS_FACTORY auto rotary(operand auto x) {
  return rotary<static_cast<double>(Base)>(x);
}
template <rotary_options Options>
TAPELESS_FACTORY auto rotary(operand auto x) {
  return make<rotary_statement<Options>>(x);
}
template <double Base = 10000.0>
TAPELESS_FACTORY auto rotary(operand auto x, operand auto positions) {
  return make<rotary_at_statement<rotary_options{.base = Base}>>(x, positions);
}
template <std::integral auto Base>
TAPELESS_FACTORY auto rotary(operand auto x, operand auto positions) {
  return rotary<static_cast<double>(Base)>(x, positions);
}
template <rotary_options Options>
TAPELESS_FACTORY auto rotary(operand auto x, operand auto positions) {
  return make<rotary_at_statement<Options>>(x, positions);
}

}  // namespace tapeless
