// SPDX-License-Identifier: BSL-1.0
// pad<axis, before, after>(x, value): a value other than zero around x.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/pad.hpp>

namespace tapeless {

template <int Axis, std::int64_t Before, std::int64_t After>
struct pad_with_statement {
  static constexpr std::string_view name = "pad";
  static constexpr int arity = 2;
  static constexpr value build(value x, value around) {
    constexpr std::int64_t before = detail::positive(Before), after = detail::positive(After);
    const value padded = pad_statement<Axis, Before, After>::build(x);
    const int axis = normal_axis(Axis, x.rank());
    if (axis < 0 || is_constant(around, 0)) return padded;
    if (around.rank() != 0)
      return around.fail(detail::shape_sentence("pad", x)
                         << " with a value that is no scalar but has " << around.rank() << " axes");
    if (before + after == 0) return padded;
    extent_table& e = x.builder->extents;
    const std::int64_t end = e.subtract(padded.get().shape[axis], after);
    const value place = make_iota(*x.builder, shape_of(padded), axis, element::i64);
    const value behind = make_size(*x.builder, end);
    if (before > 0 && after > 0) return where(place >= before && place < behind, padded, around);
    return where(before > 0 ? place >= before : place < behind, padded, around);
  }
};

/// x with Before times the scalar `around` before it and After times behind it along the axis, e.g.
/// pad<-1, 0, 2>(x, constant<-infinity>). A negative number takes elements off that end. The gradient of x is
/// that of its own places, the gradient of `around` the sum over the others.
/// @formula y = Before times `around`, x, After times `around` along the axis
/// @shapes [.., n, ..] and a scalar -> [.., Before + n + After, ..]
/// @errors shapes
/// @torch torch.nn.functional.pad(value=)
/// @jax jnp.pad(constant_values=)
/// @given x = [1, 2]
/// @gives tl::pad<-1, 1, 2>(x, 9_c) = [9, 1, 2, 9, 9]
template <int Axis, std::int64_t Before, std::int64_t After, class V>
  requires value_operands<value, V>
constexpr value pad(is_value auto x, V around) {
  return make<pad_with_statement<Axis, Before, After>>(x, around);
}
template <int Axis, std::int64_t Before, std::int64_t After, class X, class V>
  requires expression_operands<X, V>
TAPELESS_FACTORY auto pad(X x, V around) {
  return make<pad_with_statement<Axis, Before, After>>(x, around);
}

}  // namespace tapeless
