// SPDX-License-Identifier: BSL-1.0
// drop_path<p>(x): in training, samples that are zero by chance, for stochastic depth (Huang et al., 2016).
#pragma once

#include <tapeless/ops/activation/dropout_channels.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/random/named_draw.hpp>

namespace tapeless {

namespace detail {

constexpr bool require_samples(value x) {
  if (is_floating(x.type()) && x.rank() > 0) return true;
  x.fail(shape_sentence("drop_path", x) << ": it takes floating [batch, ..]");
  return false;
}

}  // namespace detail

template <double P>
struct drop_path_statement {
  static constexpr bool built_once = true;
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::refused_probability("drop_path", P); }
  static constexpr value build(value x) {
    if (!detail::require_samples(x)) return x;
    const value kept = detail::kept_channels<P>(x, x.rank() - 1);
    return kept.exists() ? x * detail::kept_factors(x, kept, P) : x;
  }
};
template <double P, name Name>
struct named_drop_path_statement {
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::refused_probability("drop_path", P); }
  static constexpr value build(value x) {
    graph& g = *x.builder;
    if (!detail::require_samples(x) || !g.is_training()) return x;
    const shape_list s = detail::shape_of_channels(x, x.rank() - 1);
    const value random = detail::random_numbers<random_operation>(g, s, detail::stream_of<Name>());
    return detail::only_draw<Name>("drop_path", x * detail::kept_factors(x, random >= P, P));
  }
};

/// In training each sample, along the first axis, is 0 as a whole with probability P, and otherwise
/// x / (1 - P); in evaluation x itself. Around a block, x + drop_path<P>(block(x)) leaves the block out for
/// these samples. Which samples depends on the trainer's seed, the step and the place in the model. The same
/// drop_path of the same x is one draw, however often it is written: drop_path<"second", P>(x) draws numbers
/// of its own, those of its name.
/// @formula y = x / (1 - P) with probability 1 - P, else 0, sample by sample; in evaluation y = x
/// @shapes floating [batch, ..] -> the same
/// @errors drop_path draw_name_used_twice
/// @torch torchvision.ops.stochastic_depth(x, P, "row"), timm.layers.DropPath
/// @jax flax.linen.Dropout(broadcast_dims=(1,)), of matrices
/// @given x = [[-2, 0.5], [3, 1]]
/// @gives tl::drop_path<0.5>(x) = [[-2, 0.5], [3, 1]]
template <double P>
TAPELESS_FACTORY auto drop_path(expression_operand auto x) {
  return make<drop_path_statement<P>>(x);
}
/// The same, which draws numbers of its own: those of its name, in each step.
template <name Name, double P>
TAPELESS_FACTORY auto drop_path(expression_operand auto x) {
  return make<named_drop_path_statement<P, Name>>(x);
}
// Calls as in PyTorch, which are refused.
template <detail::called_with X>
constexpr auto drop_path(const X& x) {
  return detail::refuse_call<sentence{"drop_path"}, sentence{"its probability is a template argument"},
                             sentence{"<0.1>(x)"}>(x);
}
template <name, detail::called_with X>
constexpr auto drop_path(const X& x) {
  return drop_path(x);
}
constexpr erroneous drop_path(detail::any_expression, detail::axis_as_argument, ...) { return {}; }

}  // namespace tapeless
