// SPDX-License-Identifier: BSL-1.0
// a * b: the product.
#pragma once

#include <type_traits>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct mul_operation : pointwise_operation<mul_operation, 2> {
  static constexpr std::string_view name = "*";
  static constexpr auto apply(auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return detail::wrapped_product(a, b);
    else
      return a * b;
  }
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto) {
    if (k == 0) return g * b;
    return g * a;
  }
  static constexpr value simplify(auto a, auto b) {
    if (is_constant(a)) {
      if (is_constant(b))
        return detail::constant_if_it_fits(*a.builder, a.get().number * b.get().number, a.type());
      return a.get().number == 1 ? b : value{};
    }
    return is_constant(b, 1) ? a : value{};
  }
};

/// a * b, element by element; shapes broadcast. Integers wrap where they do not fit.
/// @formula y = a b; dy/da = b, dy/db = a
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.mul, a * b
/// @jax jnp.multiply, a * b
/// @given a = [[1, 2], [3, 4]]; b = [10, 100]
/// @gives a * b = [[10, 200], [30, 400]]
template <class A, class B>
  requires value_operands<A, B>
constexpr value operator*(A a, B b) {
  return make<mul_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto operator*(A a, B b) {
  return make<mul_operation>(a, b);
}

}  // namespace tapeless
