// SPDX-License-Identifier: BSL-1.0
// glu<axis>(x): one half of x, gated by the other (Dauphin et al., 2017).
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

/// f(a, b) of the halves a and b of x along the axis, in this order.
template <class F>
constexpr value of_halves(std::string_view name, value x, int asked, const F& f) {
  const int axis = axis_of(name, x, asked);
  if (axis < 0) return x;
  extent_table& extents = x.builder->extents;
  const std::int64_t whole = x.get().shape[axis], half = extents.divide(whole, 2);
  if (!is_floating(x.type()) || extents.multiply(half, 2) != whole)
    return x.fail(shape_sentence(name, x)
                  << ": it takes floating elements and an even extent along axis " << asked);
  return f(slice(x, axis, 0, 1, half), slice(x, axis, half, 1, half));
}

}  // namespace detail

template <int Axis>
struct glu_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return detail::of_halves("glu", x, Axis, [](value a, value b) { return a * sigmoid(b); });
  }
};

/// a sigmoid(b), where a is the first half of x along the axis, the last one where none is given, and b the
/// second: swiglu and geglu have them the other way round.
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

// Calls as in PyTorch, which are refused.
constexpr erroneous glu(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
