// SPDX-License-Identifier: BSL-1.0
// rotary(x): features turned by an angle that grows with the position.
#pragma once

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cos.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/sin.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

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

/// Features i and i + width / 2 turned by position * base^(-2 i / width); the last extent is a literal.
/// Positions count from 0, or from `first`, integers that broadcast to x from the position axis on.
constexpr value rotated(value x, int position_axis, double base, value first = {}) {
  graph& g = *x.builder;
  const int last = x.rank() - 1;
  const std::int64_t half = x.get().shape[last] / 2;
  shape_list positions{last - position_axis + 1, {}};
  for (int i = 0; i < positions.rank; ++i) positions.extents[i] = 1;
  positions.extents[0] = x.get().shape[position_axis];
  const double slowness = natural_logarithm(base) / static_cast<double>(half);
  const value index = make_iota(g, {1, {half}}, 0, x.type());
  value position = make_iota(g, positions, 0, x.type());
  if (first.exists()) position = position + cast(first, x.type());
  const value angle = position * exp(index * -slowness);
  const value c = cos(angle), s = sin(angle);
  const value a = slice(x, last, 0, 1, half), b = slice(x, last, half, 1, half);
  const value parts[] = {a * c - b * s, b * c + a * s};
  return concat(parts, 2, last);
}

}  // namespace detail

template <double Base>
struct rotary_statement {
  static_assert(Base > 0, "tapeless: rotary takes a base that is positive");
  static constexpr std::string_view name = "rotary";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const std::int64_t width = x.rank() < 2 ? 1 : x.get().shape[x.rank() - 1];
    if (!is_floating(x.type()) || !extent_table::is_literal(width) || width % 2 != 0) {
      text t;
      t << name << " got " << name_of(x.type());
      x.builder->describe_shape(t, x.get());
      return x.fail(t << ": it takes floating [.., length, width] with an even number as width");
    }
    return width == 0 ? x : detail::rotated(x, x.rank() - 2, Base);
  }
};

/// Rotary positions (Su et al., 2021, in the order of GPT-NeoX): for position p, the features i and
/// i + width / 2 of x [.., length, width] are turned, as a vector in the plane, by the angle
/// p Base^(-2 i / width). The scalar product of two of its rows depends on the difference of their positions,
/// not on these.
/// @formula (y_i, y_(i+w/2)) = (x_i, x_(i+w/2)) turned by p Base^(-2 i / w)
/// @shapes floating [.., length, width], width even -> the same
/// @errors rotary
/// @torch none in torch: apply_rotary_pos_emb of transformers
/// @jax none: written out in flax models
/// @given x = [[1, 0], [1, 0], [1, 0]]
/// @gives tl::rotary(x) = [[1, 0], [0.5403, 0.8415], [-0.4161, 0.9093]]
template <double Base = 10000.0>
constexpr value rotary(is_value auto x) {
  return make<rotary_statement<Base>>(x);
}
template <double Base = 10000.0>
TAPELESS_FACTORY auto rotary(expression_operand auto x) {
  return make<rotary_statement<Base>>(x);
}

}  // namespace tapeless
