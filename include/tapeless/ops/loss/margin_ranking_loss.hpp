// SPDX-License-Identifier: BSL-1.0
// margin_ranking_loss(a, b, y): how far two scores fall short of their order.
#pragma once

#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <loss Options, int SampleWeights = 0>
struct margin_ranking_loss_statement {
  static constexpr std::string_view name = "margin_ranking_loss";
  static constexpr int arity = 3 + SampleWeights;
  static constexpr value build(value a, value b, value y, value sample_weights = {}) {
    if (!detail::require_options<&loss::margin>(name, Options, a)) return a;
    detail::leave_out_removed(sample_weights, a, b, y);
    if (!detail::are_alike(a, b) || !detail::are_alike(a, y) || !detail::are_alike(b, y))
      return detail::do_not_fit(name, {{"scores", a}, {"scores", b}, {"targets", y}},
                                "three of one floating type and shape");
    return detail::reduce_weighted(name, relu(detail::given(Options.margin, 0) - y * (a - b)), Options.reduce,
                                   sample_weights);
  }
};

/// max(0, margin - y (a - b)): scores a and b, and targets that are 1 where a should be the larger, -1 where
/// b should: of one floating type and shape -> [], or their shape with reduction::none. Any may be a number.
/// Reads loss::reduce and loss::margin (0 by default).
/// @formula mean of max(0, margin - y (a - b))
/// @shapes floating a, b and y [..] -> []
/// @errors ranking_shapes unread_loss_options
/// @torch torch.nn.functional.margin_ranking_loss
/// @jax none: rax.pairwise_hinge_loss takes lists
/// @given a = [1, 2, 0]; b = [0, 3, 0.5]; y = [1, 1, -1]
/// @gives tl::margin_ranking_loss(a, b, y) = 0.3333
template <loss Options = loss{}, class A, class B, class Y, sample_weights_operand... W>
  requires(operands<A, B, Y> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto margin_ranking_loss(A a, B b, Y y, W... sample_weights) {
  return make<margin_ranking_loss_statement<Options, sizeof...(W)>>(a, b, y,
                                                                    detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
