// SPDX-License-Identifier: BSL-1.0
// addcdiv(x, a, b, factor): x + factor a / b.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <int Operands>
struct addcdiv_operation : composed_operation<addcdiv_operation<Operands>, Operands> {
  static constexpr std::string_view name = "addcdiv";
  static constexpr value forward(value x, value a, value b) { return x + a / b; }
  static constexpr value forward(value x, value a, value b, value factor) { return x + factor * (a / b); }
};

/// x + factor (a / b), element by element; the factor, which may be missing, is PyTorch's `value`. Shapes
/// broadcast.
/// @formula y = x + factor (a / b)
/// @shapes three or four of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.addcdiv
/// @jax x + factor * a / b
/// @given x = [1, 2, 3]; a = [1, 1, 1]; b = [2, 4, 8]
/// @gives tl::addcdiv(x, a, b, 0.5_c) = [1.25, 2.125, 3.062]
template <class X, class A, class B, class... F>
  requires(value_operands<X, A, B, F...> && sizeof...(F) <= 1)
constexpr value addcdiv(X x, A a, B b, F... factor) {
  return make<addcdiv_operation<3 + sizeof...(F)>>(x, a, b, factor...);
}
template <class X, class A, class B, class... F>
  requires(expression_operands<X, A, B, F...> && sizeof...(F) <= 1)
TAPELESS_FACTORY auto addcdiv(X x, A a, B b, F... factor) {
  return make<addcdiv_operation<3 + sizeof...(F)>>(x, a, b, factor...);
}

// Its number as a template argument, which is refused.
template <plain_number auto Factor, class... X>
constexpr auto addcdiv(const X&... x) {
  return detail::refuse_call<sentence{"addcdiv"}, detail::numbers_are_arguments,
                             sentence{"(x, a, b, 0.5_c)"}>(x...);
}

}  // namespace tapeless
