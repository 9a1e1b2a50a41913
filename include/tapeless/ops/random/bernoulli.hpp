// SPDX-License-Identifier: BSL-1.0
// bernoulli<"b">(p): 1 with the probability p, else 0.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/random/named_draw.hpp>

namespace tapeless {

template <name Name>
struct bernoulli_statement {
  static constexpr int arity = 1;
  static constexpr value build(value p) {
    graph& g = *p.builder;
    if (!is_floating(p.type()) || p.type() == element::number)
      return detail::do_not_fit("bernoulli", {{"probabilities", p}}, "probabilities of a floating type");
    const element drawn = computed_in(p.type());
    const value u = detail::drawn_uniform<Name>(g, shape_of(p), drawn);
    const value one = make_constant(g, 1, p.type());
    return detail::only_draw<Name>("bernoulli", where(u < cast(p, drawn), one, 0.0));
  }
};

/// 1 with the probability p and 0 otherwise, element by element: of p's shape and element type, which is
/// floating. Never 1 where p is 0 or less or NaN, always where it is 1 or more. No derivative flows to p. For
/// what the name means, and when it is drawn anew, see normal.
/// @formula y = 1 with probability p, else 0; without a derivative
/// @shapes floating [..] -> the same
/// @errors draw_name_used_twice bernoulli_probabilities bernoulli_of_shape
/// @torch torch.bernoulli
/// @jax jax.random.bernoulli
/// @given p = [0, 0.5, 0.5, 1]
/// @gives tl::bernoulli<"g">(p) = [0, 0, 1, 1]
template <name Name>
constexpr value bernoulli(is_value auto p) {
  return make<bernoulli_statement<Name>>(p);
}
template <name Name>
TAPELESS_FACTORY auto bernoulli(expression_operand auto p) {
  return make<bernoulli_statement<Name>>(p);
}
/// Refuses a type and a shape.
template <name, class T, extent...>
constexpr erroneous bernoulli(auto) {
  static_assert(std::is_void_v<T>,
                "tapeless: bernoulli<\"b\">(p) has the shape and the type of p: "
                "tl::bernoulli<\"b\">(tl::full<float, 3>(0.5_c)), by <tapeless/operations.hpp>");
  return {};
}

}  // namespace tapeless
