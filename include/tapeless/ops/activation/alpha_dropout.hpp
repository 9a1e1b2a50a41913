// SPDX-License-Identifier: BSL-1.0
// alpha_dropout<p>(x), feature_alpha_dropout<p>(x): dropout that keeps mean 0 and variance 1 behind selu
// (Klambauer et al., 2017).
#pragma once

#include <tapeless/ops/activation/dropout_channels.hpp>
#include <tapeless/ops/linalg/linear.hpp>

namespace tapeless {

template <bool Channels, double P>
struct alpha_dropout_statement {
  static constexpr bool built_once = true;
  static constexpr std::string_view name = Channels ? "feature_alpha_dropout" : "alpha_dropout";
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::refused_probability(name, P); }
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    if (Channels && x.rank() < 2)
      return x.fail(detail::shape_sentence(name, x) << ": it takes [batch, channels, ...]");
    const value kept = detail::kept_channels<P>(x, Channels ? x.rank() - 2 : 0);
    if (!kept.exists()) return x;
    if (P == 1) return x * 0.0;
    constexpr double alpha = 1.7580993408473766;  // selu of -infinity is -alpha
    constexpr double scale = 1 / detail::square_root((alpha * alpha * P + 1) * (1 - P));
    return where(kept, x, -alpha) * scale + scale * alpha * P;
  }
};

/// In training each element is -1.7581, what selu gives for -infinity, with probability P, and then all are
/// scaled and shifted so that mean 0 and variance 1 stay; in evaluation x itself. Which elements depends on
/// the trainer's seed, the step and the place in the model.
/// @formula y = a (x or -1.7581) + b, a and b of P alone; in evaluation y = x
/// @shapes floating [..] -> [..]
/// @errors element_kinds probabilities
/// @torch torch.nn.functional.alpha_dropout
/// @jax none: written out in models
/// @given x = [-2, 0.5, 3]
/// @gives tl::alpha_dropout<0.5>(x) = [-2, 0.5, 3]
template <double P = 0.5>
TAPELESS_FACTORY auto alpha_dropout(expression_operand auto x) {
  return make<alpha_dropout_statement<false, P>>(x);
}

/// The same of whole channels: x [batch, channels, ...].
/// @formula y = a (x or -1.7581) + b, channel by channel; in evaluation y = x
/// @shapes floating [batch, channels, ..] -> the same
/// @errors element_kinds dropout_channels probabilities
/// @torch torch.nn.functional.feature_alpha_dropout
/// @jax none: written out in models
/// @given x = [[-2, 0.5, 3]]
/// @gives tl::feature_alpha_dropout<0.5>(x) = [[-2, 0.5, 3]]
template <double P = 0.5>
TAPELESS_FACTORY auto feature_alpha_dropout(expression_operand auto x) {
  return make<alpha_dropout_statement<true, P>>(x);
}

}  // namespace tapeless
