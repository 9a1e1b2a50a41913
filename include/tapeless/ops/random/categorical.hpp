// SPDX-License-Identifier: BSL-1.0
// categorical<"c">(x): a class for each row of logits, by the Gumbel-max trick (Gumbel, 1954).
#pragma once

#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/random/gumbel_noise.hpp>
#include <tapeless/ops/reduction/argmax.hpp>

namespace tapeless {

template <name Name, int Axis>
struct categorical_statement {
  static constexpr std::string_view op = "categorical";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_kind(op, x, element_kind::floating)) return x;
    const int axis = detail::axis_of(op, x, Axis);
    if (axis < 0) return x;
    const element drawn = computed_in(x.type());
    const value noise = detail::gumbel_noise<Name>(*x.builder, shape_of(x), drawn);
    return detail::only_draw<Name>(
        op, detail::first_index_of<max_reduction_operation>(op, cast(x, drawn) + noise, 1u << axis, false));
  }
};

/// An index along the axis, which is dropped, with the probabilities that softmax<Axis>(x) has: one for each
/// row of logits, as std::int64_t, so that it can be a label or the index of gather. A class whose logit is
/// -infinity is never drawn where another one is larger; where a logit is NaN, its index is. A class of
/// a probability below 2^-24, of double 2^-53, is drawn too seldom. Over a run-time extent of 0 it means
/// nothing, as argmax. It has no derivative: gumbel_softmax has. It draws in evaluation, too; for what the
/// name means, and when it is drawn anew, see normal. For several draws of each row, expand it.
/// @formula y = argmax_i(x_i - log(-log(u_i))), u ~ U(0, 1); without a derivative
/// @shapes floating [..] -> std::int64_t, without the axis
/// @errors element_kinds draw_name_used_twice draws_as_in_pytorch
/// @torch torch.distributions.Categorical(logits=x).sample(), torch.multinomial(torch.softmax(x, -1), 1)
/// @jax jax.random.categorical
/// @given x = [[100, 0, 0], [0, 0, 100]]
/// @gives tl::categorical<"h">(x) = [0, 2]
template <name Name, int Axis = -1>
TAPELESS_FACTORY auto categorical(expression_operand auto x) {
  return make<categorical_statement<Name, Axis>>(x);
}

// Calls as in PyTorch, which are refused.
template <layer_argument... A, detail::called_with X, class... More>
  requires(sizeof...(A) == 0 || sizeof...(More) > 0)
constexpr auto categorical(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"categorical"},
                             sentence{"its name and its axis are template arguments"},
                             sentence{"<\"c\", -1>(x)"}>(x, more...);
}

}  // namespace tapeless
