// SPDX-License-Identifier: BSL-1.0
// cosine_embedding_loss(a, b, y): draws like vectors together, drives unlike ones apart.
#pragma once

#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/loss/cosine_similarity.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

template <loss Options, int SampleWeights = 0>
struct cosine_embedding_loss_statement {
  static constexpr std::string_view name = "cosine_embedding_loss";
  static constexpr int arity = 3 + SampleWeights;
  static constexpr value build(value a, value b, value y, value sample_weights = {}) {
    if (!detail::require_options<&loss::margin>(name, Options, a)) return a;
    detail::leave_out_removed(sample_weights, a, b, y);
    shape_list rows = shape_of(a);
    --rows.rank;
    if (!detail::are_alike(a, b) || a.rank() < 1 || a.rank() != b.rank() || !(shape_of(y) == rows))
      return detail::do_not_fit(name, {{"vectors", a}, {"vectors", b}, {"targets", y}},
                                "two [..., features] of one floating type and shape, and targets [...]");
    const value cosine = cosine_similarity(a, b);
    const value unlike = relu(cosine - detail::given(Options.margin, 0));
    return detail::reduce_weighted(name, where(y > 0.0, 1.0 - cosine, unlike), Options.reduce,
                                   sample_weights);
  }
};

/// 1 - cos(a, b) where y is 1, max(0, cos(a, b) - margin) where it is -1: vectors a and b [..., features] of
/// one floating type, y [...] of any type -> [], or [...] with reduction::none. Reads loss::reduce and
/// loss::margin (0 by default).
/// @formula mean of 1 - cos(a, b) where y is 1, max(0, cos(a, b) - margin) where y is -1
/// @shapes floating a and b [.., features], y [..] -> []
/// @errors cosine_axes unread_loss_options
/// @torch torch.nn.functional.cosine_embedding_loss
/// @jax optax.cosine_distance (for y = 1)
/// @given a = [[1, 0], [1, 1]]; b = [[0, 1], [1, 1]]; y = [1, -1]
/// @gives tl::cosine_embedding_loss(a, b, y) = 1
template <loss Options = loss{}, operand A, operand B, operand Y, sample_weights_operand... W>
  requires(sizeof...(W) <= 1)
TAPELESS_FACTORY auto cosine_embedding_loss(A a, B b, Y y, W... sample_weights) {
  return make<cosine_embedding_loss_statement<Options, sizeof...(W)>>(a, b, y,
                                                                      detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
