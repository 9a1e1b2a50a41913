// SPDX-License-Identifier: BSL-1.0
// dropout<p>(x): in training, elements that are zero by chance.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/random/named_draw.hpp>
#include <tapeless/ops/random/random_like.hpp>

namespace tapeless {

namespace detail {

constexpr text refused_probability(std::string_view op, double p) {
  return unless_fits(p >= 0 && p <= 1, op, "a probability from 0 to 1", p);
}

/// What x is multiplied by: 1 / (1 - p) where it is kept, else 0.
constexpr value kept_factors(value x, value kept, double p) {
  graph& g = *x.builder;
  return where(kept, make_constant(g, p == 1 ? 0 : 1 / (1 - p), x.type()), make_constant(g, 0, x.type()));
}

/// x with each element 0 with probability p in training, and otherwise x / (1 - p).
constexpr value dropped(value x, double p) {
  if (!x.builder->is_training() || p == 0) return x;
  return x * kept_factors(x, random_like(x) >= p, p);
}

constexpr bool require_floating_operand(value x) {
  if (is_floating(x.type())) return true;
  x.fail(shape_sentence("dropout", x) << ": it takes floating elements, but got " << name_of(x.type()));
  return false;
}

}  // namespace detail

template <double P>
struct dropout_statement {
  static constexpr bool built_once = true;
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::refused_probability("dropout", P); }
  static constexpr value build(value x) {
    return detail::require_floating_operand(x) ? detail::dropped(x, P) : x;
  }
};
template <double P, name Name>
struct named_dropout_statement {
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::refused_probability("dropout", P); }
  static constexpr value build(value x) {
    graph& g = *x.builder;
    if (!detail::require_floating_operand(x) || !g.is_training()) return x;
    const value random = detail::random_numbers<random_operation>(g, shape_of(x), detail::stream_of<Name>());
    return detail::only_draw<Name>("dropout", x * detail::kept_factors(x, random >= P, P));
  }
};

/// In training each element is 0 with probability P, and otherwise x / (1 - P); in evaluation x itself. Which
/// elements depends on the trainer's seed, the step and the place in the model; of x's shape, which is
/// floating. The same dropout of the same x is one draw, however often it is written: dropout<"second", P>(x)
/// draws numbers of its own, those of its name. Srivastava et al., 2014.
/// @formula y = x / (1 - P) with probability 1 - P, else 0; in evaluation y = x
/// @shapes floating [..] -> [..]
/// @errors element_kinds draw_name_used_twice probabilities
/// @torch torch.nn.functional.dropout
/// @jax flax.linen.Dropout
/// @given x = [-2, 0.5, 3]
/// @gives tl::dropout<0.5>(x) = [-2, 0.5, 3]
template <double P = 0.5>
TAPELESS_FACTORY auto dropout(expression_operand auto x) {
  return make<dropout_statement<P>>(x);
}
/// The same, which draws numbers of its own: those of its name, in each step.
template <name Name, double P = 0.5>
TAPELESS_FACTORY auto dropout(expression_operand auto x) {
  return make<named_dropout_statement<P, Name>>(x);
}
// Calls as in PyTorch, which are refused.
constexpr erroneous dropout(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
