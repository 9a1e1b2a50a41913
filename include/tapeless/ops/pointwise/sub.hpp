// SPDX-License-Identifier: BSL-1.0
// a - b: the difference.
#pragma once

#include <type_traits>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/neg.hpp>

namespace tapeless {

struct sub_operation : pointwise_operation<sub_operation, 2> {
  static constexpr std::string_view name = "-";
  static constexpr bool is_brief = true;
  static constexpr auto apply(auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return detail::wrapped_difference(a, b);
    else
      return a - b;
  }
  static constexpr value cotangent(int k, auto g, auto, auto, auto) {
    if (k == 0) return g;
    return -g;
  }
  static constexpr value simplify(auto a, auto b) {
    if (is_constant(a) && is_constant(b))
      return detail::constant_if_it_fits(*a.builder, a.get().number - b.get().number, a.type());
    return is_constant(b, 0) ? a : value{};
  }
};

/// a - b, element by element; shapes broadcast. Integers wrap where they do not fit.
/// @formula y = a - b
/// @shapes two of one type of numbers, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// @torch torch.sub, a - b
/// @jax jnp.subtract, a - b
/// @given a = [[1, 2], [3, 4]]; b = [10, 20]
/// @gives a - b = [[-9, -18], [-7, -16]]
template <class A, class B>
  requires value_operands<A, B>
constexpr value operator-(A a, B b) {
  return make<sub_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto operator-(A a, B b) {
  return make<sub_operation>(a, b);
}

}  // namespace tapeless
