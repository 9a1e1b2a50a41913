// SPDX-License-Identifier: BSL-1.0
// addcmul(x, a, b, factor): x + factor a * b.
#pragma once

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <int Operands>
struct addcmul_operation : composed_operation<addcmul_operation<Operands>, Operands> {
  static constexpr std::string_view name = "addcmul";
  static constexpr value forward(value x, value a, value b) { return x + a * b; }
  static constexpr value forward(value x, value a, value b, value factor) { return x + factor * (a * b); }
};

/// x + factor (a * b), element by element; the factor, which may be missing, is PyTorch's `value`. Shapes
/// broadcast.
/// @formula y = x + factor (a * b)
/// @shapes three or four of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.addcmul
/// @jax x + factor * a * b
/// @given x = [1, 2, 3]; a = [1, 1, 1]; b = [2, 4, 8]
/// @gives tl::addcmul(x, a, b, 0.5_c) = [2, 4, 7]
template <class X, class A, class B, class... F>
  requires(value_operands<X, A, B, F...> && sizeof...(F) <= 1)
constexpr value addcmul(X x, A a, B b, F... factor) {
  return make<addcmul_operation<3 + sizeof...(F)>>(x, a, b, factor...);
}
template <class X, class A, class B, class... F>
  requires(expression_operands<X, A, B, F...> && sizeof...(F) <= 1)
TAPELESS_FACTORY auto addcmul(X x, A a, B b, F... factor) {
  return make<addcmul_operation<3 + sizeof...(F)>>(x, a, b, factor...);
}

// Its number as a template argument, which is refused.
template <plain_number auto Factor, class... X>
constexpr auto addcmul(const X&... x) {
  return detail::refuse_call<sentence{"addcmul"}, detail::numbers_are_arguments,
                             sentence{"(x, a, b, 0.5_c)"}>(x...);
}

}  // namespace tapeless
