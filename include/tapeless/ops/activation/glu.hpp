// SPDX-License-Identifier: BSL-1.0
// glu<axis>(x): one half of x, gated by the other (Dauphin et al., 2017).
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

template <int Axis>
struct glu_statement {
  static constexpr std::string_view name = "glu";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    extent_table& extents = x.builder->extents;
    const std::int64_t whole = x.get().shape[axis], half = extents.divide(whole, 2);
    if (!is_floating(x.type()) || extents.multiply(half, 2) != whole)
      return x.fail(detail::shape_sentence(name, x)
                    << ": it takes floating elements and an even extent along axis " << Axis);
    return slice(x, axis, 0, 1, half) * sigmoid(slice(x, axis, half, 1, half));
  }
};

/// a sigmoid(b), where a is the first half of x along the axis, the last one where none is given, and b the
/// second.
/// @formula y = a sigmoid(b), x = [a, b]
/// @shapes floating [.., 2n, ..] -> [.., n, ..]
/// @errors glu
/// @torch torch.nn.functional.glu
/// @jax jax.nn.glu
/// @given x = [[1, 2, 0, 3]]
/// @gives tl::glu(x) = [[0.5, 1.905]]
template <int Axis = -1>
constexpr value glu(is_value auto x) {
  return make<glu_statement<Axis>>(x);
}
template <int Axis = -1>
TAPELESS_FACTORY auto glu(expression_operand auto x) {
  return make<glu_statement<Axis>>(x);
}

}  // namespace tapeless
