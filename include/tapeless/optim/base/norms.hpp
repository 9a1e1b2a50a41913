// SPDX-License-Identifier: BSL-1.0
// Sums and lengths that rules need: of a whole tensor, of its rows, of all parameters together.
#pragma once

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

namespace detail {

/// The sum of all elements, as a scalar.
constexpr value sum_of(value x) { return sum_operation::build(x, (1u << x.rank()) - 1, false); }

/// The Euclidean length of a whole tensor, as a scalar.
constexpr value length_of(value x) { return sqrt(sum_of(square(x))); }

/// |p| / |g|, with Euclidean lengths; 1 where one of them is 0.
constexpr value trust_ratio(value p, value g) {
  const value own = length_of(p), step = length_of(g), none = own == 0.0 || step == 0.0;
  return where(none, 1.0, own / where(none, 1.0, step));
}

/// How many elements a tensor has, as a number.
constexpr value count_of(value x) { return make_size(*x.builder, element_count(*x.builder, shape_of(x))); }

/// All axes but the first: those of one unit's weights, [out, in, ...].
constexpr unsigned axes_of_unit(value x) { return ((1u << x.rank()) - 1) & ~1u; }

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
