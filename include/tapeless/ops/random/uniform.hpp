// SPDX-License-Identifier: BSL-1.0
// uniform<"u", T, E...>(), uniform_like<"u">(x), uniform<"u">(low, high): uniformly distributed numbers.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/random/named_draw.hpp>

namespace tapeless {

struct uniform_distribution {
  static constexpr std::string_view name = "uniform", like = "uniform_like", first = "low", second = "high";
  template <tapeless::name Name>
  static constexpr value standard(graph& g, const shape_list& shape, element type) {
    return detail::drawn_uniform<Name>(g, shape, type);
  }
  static constexpr value of(value low, value high, value x) { return low + (high - low) * x; }
};

/// Uniformly distributed numbers of the element type T and the shape [E...], without extents a scalar, in
/// [0, 1): multiples of 2^-24, of double 2^-53, of f16 and bf16 2^-11 and 2^-8. For what the name means,
/// and when they are drawn anew, see normal.
/// @formula y ~ U[0, 1); y = low + (high - low) * u with u ~ U[0, 1)
/// @shapes -> T [E...]; low and high of one floating type, whose shapes broadcast -> the common shape
/// @errors draw_name_used_twice draw_without_name draw_parameters draw_of_integers draws_as_in_pytorch
/// @torch torch.rand
/// @jax jax.random.uniform
/// @given low = [0, 5]; high = [1, 6]
/// @gives tl::uniform<"d", float, 3>() = [0.7775, 0.7597, 0.5155]
/// @gives tl::uniform<"e">(low, high) = [0.1204, 5.394]
template <name Name, element_type T, extent... E>
constexpr auto uniform() {
  return make_leaf<draw_statement<uniform_distribution, Name, element_of<T>, E...>>();
}
/// Refuses a draw without a name.
template <class T, extent... E>
constexpr auto uniform() {
  return detail::refuse_draw<T>();
}

/// The same in x's shape and element type, which is floating. One name for draws like two values does not
/// compile.
/// @formula y ~ U[0, 1)
/// @shapes floating [..] -> the same
/// @errors draw_name_used_twice draw_like_in_repeat draw_without_name draw_of_integers
/// @torch torch.rand_like
/// @jax jax.random.uniform(key, x.shape)
/// @given x = [7, 7, 7]
/// @gives tl::uniform_like<"f">(x) = [0.3762, 0.6275, 0.2335]
template <name Name>
TAPELESS_FACTORY auto uniform_like(operand auto x) {
  return make<draw_like_statement<uniform_distribution, Name>>(x);
}
/// Refuses a draw without a name.
constexpr auto uniform_like(operand auto x) { return detail::refuse_draw<decltype(x)>(); }

/// low + (high - low) * u with such numbers u, of the shape that the two have together; they are of one
/// floating type, and one of them may be a number. Rounding can make it high itself. Derivatives by low and
/// high are those of this formula.
template <name Name, class Low, class High>
  requires operands<Low, High>
TAPELESS_FACTORY auto uniform(Low low, High high) {
  return make<draw_of_statement<uniform_distribution, Name>>(low, high);
}

// Calls as in PyTorch, and without the element type, which are refused.
template <name Name, detail::called_with X>
constexpr auto uniform(const X& x) {
  return detail::refuse_call<sentence{"uniform"},
                             sentence{
                                 "it takes two operands, low and high; a draw of the shape and type of x is"},
                             sentence{"_like<\"eps\">(x)"}>(x);
}
template <name Name, extent... E>
constexpr auto uniform() {
  return detail::refuse_call<sentence{"uniform"}, detail::draw_without_type,
                             sentence{"<\"eps\", float, 2, 3>()"}>(detail::known_by<Name, E...>{});
}
template <name, class T, extent... E, class... X>
  requires(sizeof...(X) > 0)
constexpr auto uniform(const X&... x) {
  return detail::refuse_call<sentence{"uniform"}, detail::draw_of_both,
                             sentence{"<\"eps\", float, 2, 3>() * 3_c + 1_c"}>(x...);
}

}  // namespace tapeless
