// SPDX-License-Identifier: BSL-1.0
// Sums and lengths that rules need: of a whole tensor, of its rows, of all parameters together.
#pragma once

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

namespace detail {

/// The scalar f(x). Of elements of 16 bits, which could not hold it, it is computed in float, and is a number
/// without a type, which takes theirs where it meets them.
template <class F>
constexpr value scalar_of(value x, F f) {
  return is_half(x.type()) ? cast(f(cast(x, element::f32)), element::number) : f(x);
}

/// The sum of all elements, as a scalar.
constexpr value sum_of(value x) {
  return scalar_of(x, [](value y) { return sum_operation::build(y, (1u << y.rank()) - 1, false); });
}
constexpr value sum_of_squares(value x) {
  return scalar_of(x, [](value y) { return sum_of(square(y)); });
}

/// The Euclidean length of a whole tensor, as a scalar.
constexpr value length_of(value x) { return sqrt(sum_of_squares(x)); }

/// Elements of 16 bits as float; others as they are.
constexpr value in_float(value x) { return cast(x, computed_in(x.type())); }

/// x times a factor, in float where x has elements of 16 bits, which the factor itself might not fit.
constexpr value scaled_by(value x, value factor) { return cast(in_float(x) * factor, x.type()); }

/// x, shortened where the square of its length overflows, so that products with itself are finite.
constexpr value with_finite_square(value x) {
  const bool is_double = x.type() == element::f64;
  const double longest = x.type() == element::f16 ? 0x1.fp7 : is_double ? 0x1.fp511 : 0x1.fp63;
  const double small = is_double ? 0x1p-600 : 0x1p-80;  // a length times that is finite; short ones may be 0
  const value length = scalar_of(x, [&](value y) { return length_of(small * y); });
  return scaled_by(x, min(longest * small / length, 1.0));
}

/// Euclidean lengths over some axes, which stay with extent 1; of elements of 16 bits they are float.
constexpr value lengths_over(value x, unsigned axes) {
  return sqrt(sum_operation::build(square(in_float(x)), axes, true));
}

/// |p| / |g|, with Euclidean lengths; 1 where one of them is 0.
constexpr value trust_ratio(value p, value g) {
  const value own = length_of(p), step = length_of(g), none = own == 0.0 || step == 0.0;
  return where(none, 1.0, own / where(none, 1.0, step));
}

/// How many elements a tensor has, as a number.
constexpr value count_of(value x) { return make_size(*x.builder, element_count(*x.builder, shape_of(x))); }

/// All axes but the first: those of one unit's weights, [out, in, ...].
constexpr unsigned axes_of_unit(value x) { return ((1u << x.rank()) - 1) & ~1u; }

/// f(a, b) of two parameters' scalars; where one is float and one double, of numbers without a type.
template <class F>
constexpr value joined(value a, value b, F f) {
  const bool mix = a.type() == b.type() || a.type() == element::number || b.type() == element::number;
  return mix ? f(a, b) : f(cast(a, element::number), cast(b, element::number));
}
constexpr value added(value a, value b) {
  return joined(a, b, [](value x, value y) { return x + y; });
}

/// The sum of the scalars f(context) over all parameters, in double whatever the parameters' types are.
template <class F>
constexpr value sum_over(const list<rule_context>& parameters, F f) {
  value total;
  for (const rule_context& c : parameters)
    total = total.exists() ? total + cast(f(c), element::number) : cast(f(c), element::number);
  return total;
}

}  // namespace detail

}  // namespace tapeless
