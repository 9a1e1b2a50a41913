// SPDX-License-Identifier: BSL-1.0
// nll_loss(log_probabilities, labels): the negative log-likelihood of the right classes.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/loss/class_labels.hpp>

namespace tapeless {

template <loss Options, int ClassWeights, int SampleWeights = 0>
struct nll_loss_statement {
  static constexpr std::string_view name = "nll_loss";
  static constexpr int arity = 2 + ClassWeights + SampleWeights;
  static constexpr value build(value x, value target, value third = {}, value fourth = {}) {
    if (!detail::require_options<&loss::ignore_index, &loss::axis>(name, Options, x)) return x;
    const value class_weight = ClassWeights > 0 ? third : value{};
    const value sample_weights = SampleWeights == 0 ? value{} : ClassWeights > 0 ? fourth : third;
    x = detail::without_removed(x, sample_weights, normal_axis(Options.axis, x.rank()));
    if (!detail::labels_fit(x, target, Options.axis))
      return detail::labels_do_not_fit(
          name, {"log-probabilities", x}, target,
          Options.axis == -1 ? "floating log-probabilities [..., classes] and integer labels [...]"
                             : "floating log-probabilities with the classes along loss::axis and "
                               "integer labels of their shape without it");
    if (class_weight.exists() && !detail::class_weight_fits(x, class_weight, Options.axis))
      return detail::class_weight_does_not_fit(name, "log-probabilities", x, class_weight);
    const detail::class_labels labels(x, target, Options.ignore_index, Options.axis);
    const value likelihood = labels.pick(labels.counted(x));
    if (!class_weight.exists()) return labels.reduce(name, -likelihood, {}, Options.reduce, sample_weights);
    const value weight = labels.pick(detail::along_classes(class_weight, x, Options.axis));
    return labels.reduce(name, -detail::times_factors(weight, likelihood, sample_weights), weight,
                         Options.reduce, sample_weights);
  }
};

/// -x[label] for each row: log-probabilities x [..., classes], labels [...] of an integer type -> [], or
/// [...] with reduction::none. Labels that are an input are checked when they are bound: 0 <= label <
/// classes, or loss::ignore_index, whose rows count nothing; with labels that the model computes the loss and
/// the gradient of a row whose label is neither are NaN. With class weights w [classes], a row counts
/// w[label] times, and the mean divides by the sum of these; over no rows it is NaN. Reads loss::reduce,
/// loss::ignore_index and loss::axis, the axis of the classes: {.axis = 1} for [batch, classes, ...].
/// @formula mean of -x_label
/// @shapes floating log-probabilities [.., classes], integer labels [..] -> []
/// @errors log_probability_labels unread_loss_options class_weights ignored_label_as_argument
/// @torch torch.nn.functional.nll_loss
/// @jax optax.softmax_cross_entropy_with_integer_labels (of logits)
/// @given x = [[-0.1, -2.4], [-1.2, -0.4]]; labels = int32 [0, 1]
/// @gives tl::nll_loss(x, labels) = 0.25
template <loss Options = loss{}, operand X, operand Y, class... More>
  requires(detail::own_and_sample_weights<More...>)
TAPELESS_FACTORY auto nll_loss(X log_probabilities, Y labels, More... weights) {
  if constexpr ((plain_number<More> || ...)) {
    return detail::refuse_call<sentence{"nll_loss"}, detail::options_are_template_arguments,
                               sentence{"<tl::loss{.ignore_index = -100}>(log_probabilities, labels)"}>(
        log_probabilities, labels, weights...);
  } else {
    constexpr int samples = detail::sample_weights_among<More...>();
    return make<nll_loss_statement<Options, int(sizeof...(More)) - samples, samples>>(
        log_probabilities, labels, detail::unwrapped(weights)...);
  }
}

}  // namespace tapeless
