// SPDX-License-Identifier: BSL-1.0
// a / b: the quotient.
#pragma once

#include <type_traits>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/mul.hpp>
#include <tapeless/ops/pointwise/neg.hpp>

namespace tapeless {

struct div_operation : pointwise_operation<div_operation, 2> {
  static constexpr std::string_view name = "/";
  static constexpr auto apply(auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return detail::wrapped_quotient(a, b);
    else
      return a / b;
  }
  static constexpr value cotangent(int k, auto g, auto, auto b, auto y) {
    if (k == 0) return g / b;
    return -(g * y / b);
  }
  static constexpr value simplify(auto a, auto b) {
    if (is_constant(a) && is_constant(b) && is_floating(a.type()) && b.get().number != 0)
      return make_constant(*a.builder, a.get().number / b.get().number, a.type());
    return is_constant(b, 1) ? a : value{};
  }
};

/// a / b, element by element; shapes broadcast. The quotient of whole numbers is a whole number, rounded
/// towards zero as in C++, where NumPy and PyTorch have a floating one; floor_divide rounds down. It is 0
/// where b is 0, as NumPy's floor_divide; that of the least one and -1 wraps.
/// @formula y = a / b
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.div, a / b
/// @jax jnp.divide, a / b
/// @given a = [1, 2, 3]; b = [2, 4, -8]
/// @gives a / b = [0.5, 0.5, -0.375]
template <class A, class B>
  requires value_operands<A, B>
constexpr value operator/(A a, B b) {
  return make<div_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto operator/(A a, B b) {
  return make<div_operation>(a, b);
}

}  // namespace tapeless
