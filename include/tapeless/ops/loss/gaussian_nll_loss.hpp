// SPDX-License-Identifier: BSL-1.0
// gaussian_nll_loss(x, t, variance): the negative log-likelihood of targets that are normally distributed
// (Nix and Weigend, 1994).
#pragma once

#include <tapeless/ops/base/stop_gradient.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <loss Options, int SampleWeights = 0>
struct gaussian_nll_loss_statement {
  static constexpr double eps = detail::given(Options.eps, 1e-6);
  static constexpr std::string_view name = "gaussian_nll_loss";
  static constexpr int arity = 3 + SampleWeights;
  static constexpr text refusal() {
    if (eps > 0) return {};
    return text() << "gaussian_nll_loss takes an eps above 0, but got " << eps;
  }
  static constexpr value build(value x, value t, value variance, value sample_weights = {}) {
    if (!detail::require_options<&loss::eps, &loss::full>(name, Options, x)) return x;
    detail::leave_out_removed(sample_weights, x, t);
    const shape_list shape = x.type() == element::number ? shape_of(t) : shape_of(x);
    if (!detail::are_alike(x, t) || !fits(shape, x, t, variance))
      return detail::do_not_fit(
          name, {{"predictions", x}, {"targets", t}, {"variances", variance}},
          "two of one floating type and shape, and variances of this type and shape, or "
          "one for all of the last axis");
    if (variance.type() != element::number && variance.rank() < shape.rank) {
      shape_list column = shape_of(variance);
      column.extents[column.rank++] = 1;
      variance = reshape(variance, column);
    }
    if (sample_weights.exists() && variance.type() != element::number)
      variance = detail::without_removed(expand(variance, shape), sample_weights);
    // The derivative by a variance below eps is that at eps, so that it can grow again.
    const value bounded = stop_gradient(where(variance < eps, eps, variance));
    const value v = bounded + (variance - stop_gradient(variance));
    value losses = 0.5 * (log(v) + square(x - t) / v);
    if (Options.full) losses = losses + 0.5 * log_of_two_pi;
    return detail::reduce_weighted(name, losses, Options.reduce, sample_weights);
  }

 private:
  static constexpr double log_of_two_pi = 1.8378770664093454836;

  static constexpr bool fits(shape_list shape, value x, value t, value variance) {
    if (variance.type() == element::number) return true;
    if (variance.type() != (x.type() == element::number ? t : x).type()) return false;
    if (shape_of(variance) == shape) return true;
    if (shape.rank == 0) return false;
    shape_list column = shape;
    column.extents[column.rank - 1] = 1;
    --shape.rank;
    return shape_of(variance) == column || shape_of(variance) == shape;
  }
};

/// (log(v) + (x - t)^2 / v) / 2, with v = max(variance, eps): predicted means x, targets t and predicted
/// variances, of one floating type and shape -> [], or their shape with reduction::none. The variances'
/// last extent may be 1 or missing. loss::full adds log(2 pi) / 2. The derivative by a variance below eps is
/// that at eps; variances are 0 or more. Reads loss::reduce, loss::full and loss::eps (1e-6 by default).
/// @formula mean of (log(v) + (x - t)^2 / v) / 2, v = max(variance, eps)
/// @shapes floating x, t and variance [..] -> []
/// @errors gaussian_nll_loss unread_loss_options
/// @torch torch.nn.functional.gaussian_nll_loss
/// @jax -jax.scipy.stats.norm.logpdf (with full)
/// @given x = [1, 2]; t = [1, 4]; v = [0.5, 2]
/// @gives tl::gaussian_nll_loss(x, t, v) = 0.5
template <loss Options = loss{}, class X, class T, class V, sample_weights_operand... W>
  requires(operands<X, T, V> && sizeof...(W) <= 1)
TAPELESS_FACTORY auto gaussian_nll_loss(X x, T t, V variance, W... sample_weights) {
  return make<gaussian_nll_loss_statement<Options, sizeof...(W)>>(x, t, variance,
                                                                  detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
