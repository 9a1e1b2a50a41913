// SPDX-License-Identifier: BSL-1.0
// pow(a, b): the power.
#pragma once

#include <limits>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/greater_equal.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/logical_and.hpp>
#include <tapeless/ops/pointwise/logical_not.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/expand.hpp>

namespace tapeless {

struct pow_operation : pointwise_operation<pow_operation, 2> {
  static constexpr std::string_view name = "pow";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto a, auto b) {
    using std::pow;
    return pow(a, b);
  }
  /// What is masked is masked before a power or a logarithm could be infinite, so that higher derivatives
  /// are right, too.
  static constexpr value cotangent(int k, auto g, auto a, auto b, auto y) {
    if (k == 0) {
      if (is_constant(b, 0)) return expand(make_constant(*a.builder, 0, y.type()), shape_of(y));
      if (is_constant(b)) return g * (b * pow(a, b - 1.0));
      const auto has_no_reciprocal = !(abs(a) >= smallest_normal(a.type()));  // or it overflows
      return g * (b * pow(a, where(b == 0.0 && has_no_reciprocal, 1.0, b) - 1.0));
    }
    const auto is_zero = a == 0.0 && b >= 0.0;
    const auto base = where(is_zero, 1.0, a);
    return g * where(is_zero, 0.0, pow(base, b) * log(base));
  }
  /// Products in place of a power. In 16 bits each would be rounded, a power is rounded once.
  static constexpr value simplify(auto a, auto b) {
    if (is_constant(b, 1)) return a;
    if (is_constant(b, 2)) return square(a);
    if (a.type() != element::f32 && a.type() != element::f64) return {};
    if (is_constant(b, 3)) return a * square(a);
    if (is_constant(b, 4)) return square(square(a));
    return is_constant(b, -1) ? 1.0 / a : value{};
  }

 private:
  static constexpr double smallest_normal(element type) {
    if (type == element::f16) return 0x1p-14;
    return type == element::f64 ? std::numeric_limits<double>::min()
                                : static_cast<double>(std::numeric_limits<float>::min());
  }
};

/// a^b, element by element; shapes broadcast. The derivative by a is b a^(b-1), 0 where b = 0, whatever a is;
/// that by b is a^b log(a), taken as 0 where a = 0 and b >= 0. a^2 is a product, as are a^3 and a^4 of float
/// and double, where a^-1 is 1 / a.
/// @formula y = a^b; dy/da = b a^(b-1), dy/db = y log(a)
/// @shapes two of one floating type, whose shapes broadcast -> the common shape
/// @errors shapes_do_not_fit element_types_do_not_mix element_kinds plain_number
/// numbers_as_template_arguments
/// @torch torch.pow, a ** b
/// @jax jnp.power, a ** b
/// @given a = [2, 3, 4]; b = [3, 2, 0.5]
/// @gives tl::pow(a, b) = [8, 9, 2]
template <class A, class B>
  requires value_operands<A, B>
constexpr value pow(A a, B b) {
  return make<pow_operation>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto pow(A a, B b) {
  return make<pow_operation>(a, b);
}

// Its number as a template argument, which is refused.
template <plain_number auto B, class... X>
constexpr auto pow(const X&... x) {
  return detail::refuse_call<sentence{"pow"}, detail::numbers_are_arguments, sentence{"(x, 2_c)"}>(x...);
}

}  // namespace tapeless
