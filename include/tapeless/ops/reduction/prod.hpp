// SPDX-License-Identifier: BSL-1.0
// prod<axes...>(x): the product over the axes, over all without any.
#pragma once

#include <type_traits>

#include <tapeless/graph/transform/reverse.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/reduction_operation.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/reduction/sum_to.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

/// The product over one axis of a literal extent, which is kept: halves are multiplied until one element is
/// left, so that no derivative of it divides.
constexpr value product_of_halves(is_value auto x, int axis) {
  std::int64_t count = x.get().shape[axis];
  value half = x, odd;
  while (count > 1) {
    if (count % 2 == 1) {
      const value last = slice(half, axis, count - 1, 1, 1);
      odd = odd.exists() ? odd * last : last;
    }
    count /= 2;
    half = slice(half, axis, 0, 1, count) * slice(half, axis, count, 1, count);
  }
  return odd.exists() ? half * odd : half;
}

/// The cotangent of x by the halves.
constexpr value cotangent_of_halves(is_value auto g, value x, unsigned axes) {
  x.id = x.builder->residual(x.id);  // in a loop that goes back, what this iteration reads
  auto product = x;
  for (int i = 0; i < x.rank(); ++i)
    if ((axes >> i & 1u) != 0) product = product_of_halves(product, i);
  list<int> wrt, result;
  wrt.push(x.id);
  reverse(product, g, wrt, result);
  return {x.builder, result[0]};
}

/// The product of the other elements. By halves where the extents are literal; otherwise the product of those
/// that are not 0, divided by the element where it is among them.
template <class Product>
constexpr value cotangent_of_product(is_value auto g, is_value auto x, value y) {
  if (is_half(x.type())) {  // a product of some may overflow where that of all does not
    const auto wide = [](auto v) { return value(cast(v, element::f32)); };
    return cast(cotangent_of_product<Product>(wide(g), wide(x), wide(y)), x.type());
  }
  const unsigned axes = Product::reduced_axes(x, y);
  bool literal = true, empty = false;
  for (int i = 0; i < x.rank(); ++i) {
    if ((axes >> i & 1u) == 0) continue;
    literal = literal && extent_table::is_literal(x.get().shape[i]);
    empty = empty || x.get().shape[i] == 0;
  }
  if (empty) return expand(g, shape_of(x));
  if (literal) return cotangent_of_halves(g, x, axes);
  const auto zero = x == 0.0;
  const auto filled = where(zero, 1.0, x);
  const auto zeros = sum_operation::build(cast(zero, x.type()), axes, true);
  const auto part = g * Product::build(filled, axes, true);
  return where(zero, where(zeros == 1.0, part, 0.0), where(zeros == 0.0, part, 0.0) / filled);
}

}  // namespace detail

struct prod_operation : reduction_operation<prod_operation> {
  static constexpr std::string_view name = "prod";
  template <class T>
  static constexpr T identity = 1;
  static constexpr auto combine(auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return detail::wrapped_product(a, b);
    else
      return a * b;
  }

  static constexpr value cotangent(value g, value x, value y) {
    return detail::cotangent_of_product<prod_operation>(g, x, y);
  }
  static constexpr operation op{name, reduction_kind::product, jacobian::general, &cotangent_of};
};

/// The product over Axes (all where none is named), which are dropped, or kept with extent 1; 1 where there
/// is no element. Its derivative is the product of the others, also where elements are 0; over run-time
/// extents with zeros, derivatives beyond the first are not.
/// @formula y = x_0 x_1 ...; dy/dx_i = the product of the others
/// @shapes numbers [..] -> without the axes
/// @errors reduction_axis
/// @torch torch.prod
/// @jax jnp.prod
/// @given x = [[1, 2, 3], [4, 0, 6]]
/// @gives tl::prod<1>(x) = [6, 0]
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto prod(X x) {
  return make<reduction_statement<prod_operation, false, Axes...>>(x);
}
template <axis_number auto... Axes, reduction_operand X>
TAPELESS_FACTORY auto prod(X x, keep_dims_t) {
  return make<reduction_statement<prod_operation, true, Axes...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous prod(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
