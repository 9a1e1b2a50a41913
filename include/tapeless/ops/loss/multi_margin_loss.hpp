// SPDX-License-Identifier: BSL-1.0
// multi_margin_loss(x, labels): how far other classes come within a margin of the right one (Crammer and
// Singer, 2001).
#pragma once

#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/loss/class_labels.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

template <loss Options, int ClassWeights, int SampleWeights = 0>
struct multi_margin_loss_statement {
  static constexpr double power = detail::given(Options.power, 1);
  static constexpr std::string_view name = "multi_margin_loss";
  static constexpr int arity = 2 + ClassWeights + SampleWeights;
  static constexpr text refusal() {
    if (power == 1 || power == 2) return {};
    return text() << "multi_margin_loss takes the power 1 or 2, but got " << power;
  }
  static constexpr value build(value x, value target, value third = {}, value fourth = {}) {
    if (!detail::require_options<&loss::margin, &loss::power>(name, Options, x)) return x;
    const value class_weight = ClassWeights > 0 ? third : value{};
    const value sample_weights = SampleWeights == 0 ? value{} : ClassWeights > 0 ? fourth : third;
    x = detail::without_removed(x, sample_weights);
    if (!detail::labels_fit(x, target))
      return detail::do_not_fit(name, {{"scores", x}, {"labels", target}},
                                "floating scores [..., classes] and integer labels [...]");
    if (class_weight.exists() && !detail::class_weight_fits(x, class_weight))
      return detail::class_weight_does_not_fit(name, "scores", x, class_weight);
    const detail::class_labels labels(x, target);
    const unsigned classes = detail::last_axis(x);
    const value right =
        reshape(labels.pick(x), reduction_operation<sum_operation>::keep_dims_shape(x, classes));
    const value within = relu(x - right + detail::given(Options.margin, 1));
    const value others = where(labels.is_label, 0.0, power == 1 ? within : square(within));
    value losses = mean_operation::build(others, classes, false);
    if (class_weight.exists())
      losses = detail::times_factors(labels.pick(class_weight), losses, sample_weights);
    return labels.reduce(name, losses, {}, Options.reduce, sample_weights);
  }
};

/// The sum over the classes j != label of max(0, margin - x[label] + x[j])^power, divided by the number of
/// classes: scores x [..., classes], labels [...] of an integer type -> [], or [...] with reduction::none.
/// Labels that are an input are checked when they are bound: 0 <= label < classes; with labels that the model
/// computes the loss and the gradient of a row whose label is none of these are NaN. With class weights w
/// [classes], a row's loss is w[label] times as large; the mean divides by the number of rows all the same.
/// Reads loss::reduce, loss::margin and loss::power (1 or 2).
/// @formula mean of sum over j != label of max(0, margin - x_label + x_j)^power / classes
/// @shapes floating x [.., classes], integer labels [..] -> []
/// @errors labels_are_no_integers unread_loss_options class_weights
/// @torch torch.nn.functional.multi_margin_loss
/// @jax optax.losses.multiclass_hinge_loss (the largest term only)
/// @given x = [[0.1, 0.2, 0.7]]; labels = int32 [2]
/// @gives tl::multi_margin_loss(x, labels) = 0.3
template <loss Options = loss{}, operand X, operand Y, class... More>
  requires(detail::own_and_sample_weights<More...>)
TAPELESS_FACTORY auto multi_margin_loss(X x, Y labels, More... weights) {
  constexpr int samples = detail::sample_weights_among<More...>();
  return make<multi_margin_loss_statement<Options, int(sizeof...(More)) - samples, samples>>(
      x, labels, detail::unwrapped(weights)...);
}

}  // namespace tapeless
