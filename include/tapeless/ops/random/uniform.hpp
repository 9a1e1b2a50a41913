// SPDX-License-Identifier: BSL-1.0
// uniform<"u", T, E...>(), uniform_like<"u">(x), uniform<"u">(low, high): uniformly distributed numbers.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/random/named_draw.hpp>

namespace tapeless {

template <name Name, element Type, extent... E>
struct uniform_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) {
    if (!detail::require_floating_draw("uniform", g, Type)) return make_constant(g, 0, Type);
    const shape_list shape{sizeof...(E), {g.extents.number(E)...}};
    return detail::only_draw<Name>("uniform", detail::drawn_uniform<Name>(g, shape, Type));
  }
};

template <name Name>
struct uniform_like_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    graph& g = *x.builder;
    if (!detail::require_floating_draw("uniform_like", g, x.type())) return x;
    return detail::only_draw<Name>("uniform_like", detail::drawn_uniform<Name>(g, shape_of(x), x.type()));
  }
};

template <name Name>
struct uniform_of_statement {
  static constexpr int arity = 2;
  static constexpr value build(value low, value high) {
    shape_list shape;
    element type{};
    if (!detail::parameters_fit("uniform", "low", low, "high", high, shape, type)) return low;
    const value u = detail::drawn_uniform<Name>(*low.builder, shape, type);
    return detail::only_draw<Name>("uniform", low + (high - low) * u);
  }
};

/// Uniformly distributed numbers of the element type T and the shape [E...], without extents a scalar, in
/// [0, 1): multiples of 2^-24, of double 2^-53, of f16 and bf16 2^-11 and 2^-8. For what the name means,
/// and when they are drawn anew, see normal.
/// @formula y ~ U[0, 1); y = low + (high - low) * u with u ~ U[0, 1)
/// @shapes -> T [E...]; low and high of one floating type, whose shapes broadcast -> the common shape
/// @errors draw_name_used_twice draw_parameters draw_of_integers
/// @torch torch.rand
/// @jax jax.random.uniform
/// @given low = [0, 5]; high = [1, 6]
/// @gives tl::uniform<"d", float, 3>() = [0.7775, 0.7597, 0.5155]
/// @gives tl::uniform<"e">(low, high) = [0.1204, 5.394]
template <name Name, element_type T, extent... E>
constexpr auto uniform() {
  return leaf<uniform_statement<Name, element_of<T>, E...>>{};
}

/// The same in x's shape and element type, which is floating.
/// @formula y ~ U[0, 1)
/// @shapes floating [..] -> the same
/// @errors draw_name_used_twice draw_of_integers
/// @torch torch.rand_like
/// @jax jax.random.uniform(key, x.shape)
/// @given x = [7, 7, 7]
/// @gives tl::uniform_like<"f">(x) = [0.3762, 0.6275, 0.2335]
template <name Name>
constexpr value uniform_like(is_value auto x) {
  return make<uniform_like_statement<Name>>(x);
}
template <name Name>
TAPELESS_FACTORY auto uniform_like(expression_operand auto x) {
  return make<uniform_like_statement<Name>>(x);
}

/// low + (high - low) * u with such numbers u, of the shape that the two have together; they are of one
/// floating type, and one of them may be a number. Rounding can make it high itself. Derivatives by low and
/// high are those of this formula.
template <name Name, class Low, class High>
  requires value_operands<Low, High>
constexpr value uniform(Low low, High high) {
  return make<uniform_of_statement<Name>>(low, high);
}
template <name Name, class Low, class High>
  requires expression_operands<Low, High>
TAPELESS_FACTORY auto uniform(Low low, High high) {
  return make<uniform_of_statement<Name>>(low, high);
}

}  // namespace tapeless
