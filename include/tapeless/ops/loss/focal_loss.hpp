// SPDX-License-Identifier: BSL-1.0
// focal_loss(logits, labels): the cross-entropy of classes, in which what is right already counts little
// (Lin et al., 2017).
#pragma once

#include <limits>

#include <tapeless/ops/activation/softplus_operation.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/loss/class_labels.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/logsumexp.hpp>

namespace tapeless {

template <loss Options, int ClassWeights, int SampleWeights = 0>
struct focal_loss_statement {
  static constexpr std::string_view name = "focal_loss";
  static constexpr int arity = 2 + ClassWeights + SampleWeights;
  static constexpr text refusal() {
    if (Options.gamma >= 0) return {};
    return text() << "focal_loss takes a gamma of 0 or more, but got " << Options.gamma;
  }
  static constexpr value build(value logits, value target, value third = {}, value fourth = {}) {
    if (!detail::require_options<&loss::gamma, &loss::ignore_index, &loss::axis>(name, Options, logits))
      return logits;
    const value class_weight = ClassWeights > 0 ? third : value{};
    const value sample_weights = SampleWeights == 0 ? value{} : ClassWeights > 0 ? fourth : third;
    logits = detail::without_removed(logits, sample_weights, normal_axis(Options.axis, logits.rank()));
    if (!detail::labels_fit(logits, target, Options.axis))
      return detail::labels_do_not_fit(
          name, {"logits", logits}, target,
          Options.axis == -1 ? "floating logits [..., classes] and integer labels [...]"
                             : "floating logits with the classes along loss::axis and integer labels of "
                               "their shape without it");
    if (class_weight.exists() && !detail::class_weight_fits(logits, class_weight, Options.axis))
      return detail::class_weight_does_not_fit(name, "logits", logits, class_weight);
    const detail::class_labels labels(logits, target, Options.ignore_index, Options.axis);
    value losses =
        detail::at_least_float(labels.counted(logits), [&](value x) { return of_labels(x, labels); });
    if (class_weight.exists())
      losses = detail::times_factors(labels.pick(detail::along_classes(class_weight, logits, Options.axis)),
                                     losses, sample_weights);
    return labels.reduce(name, losses, {}, Options.reduce, sample_weights);
  }

 private:
  // With d = log(p / (1 - p)), from the logits of the other classes: -log(p) = softplus(-d), and
  // (1 - p)^gamma = e^(-gamma softplus(d)) keeps its digits, and its derivative is finite, where p is 1.
  static constexpr value of_labels(value x, const detail::class_labels& labels) {
    const value others = where(labels.is_label, -std::numeric_limits<double>::infinity(), x);
    const logsumexp_operation::parts total = logsumexp_operation::parts_of(others, labels.axis);
    const value d = (labels.pick(x) - total.largest) - total.rest;
    if constexpr (Options.gamma == 0) return softplus(-d);
    // Where p is 0, the loss is infinite and would make NaN of the factor's derivative, which is 0.
    const value right = where(d == -std::numeric_limits<double>::infinity(), 0.0, softplus(d));
    constexpr double gamma = Options.gamma;
    return softplus(-d) * exp(-gamma * right);
  }
};

/// (1 - p)^gamma (-log(p)) for each row, with p = softmax(logits)[label]; cross_entropy where gamma is 0.
/// Logits [..., classes], labels [...] of an integer type -> [], or [...] with reduction::none. Labels that
/// are an input are checked when they are bound: 0 <= label < classes, or loss::ignore_index, whose rows
/// count nothing; with labels that the model computes the loss and the gradient of a row whose label is
/// neither are NaN. With class weights alpha [classes], a row's loss is alpha[label] times as large; the mean
/// divides by the number of rows all the same. With alpha = [1 - a, a] the loss of logits [0, x] is
/// sigmoid_focal_loss<loss{.alpha = a}> of x. Reads loss::reduce, loss::gamma (2 by default),
/// loss::ignore_index and loss::axis, the axis of the classes: {.axis = 1} for [batch, classes, ...].
/// @formula mean over the rows of alpha_label (1 - p)^gamma (-log(p)), p = softmax(x)_label
/// @shapes floating logits [.., classes], integer labels [..] -> []
/// @errors labels unread_loss_options labels_are_no_integers class_weights ignored_label_as_argument
/// @torch none in torch: kornia.losses.focal_loss(alpha=None)
/// @jax none: written out in models
/// @given logits = [[2, 1, 0], [0, 0, 3]]; labels = int32 [0, 2]
/// @gives tl::focal_loss(logits, labels) = 0.02323
/// @gives tl::focal_loss<tl::loss{.reduce = tl::reduction::none, .gamma = 1}>(logits, labels) = [0.1364,
/// 0.008596]
template <loss Options = loss{}, operand X, operand Y, class... More>
  requires(detail::own_and_sample_weights<More...>)
TAPELESS_FACTORY auto focal_loss(X logits, Y labels, More... weights) {
  if constexpr ((plain_number<More> || ...)) {
    return detail::refuse_call<sentence{"focal_loss"}, detail::options_are_template_arguments,
                               sentence{"<tl::loss{.gamma = 2}>(logits, labels)"}>(logits, labels,
                                                                                   weights...);
  } else {
    constexpr int samples = detail::sample_weights_among<More...>();
    return make<focal_loss_statement<Options, int(sizeof...(More)) - samples, samples>>(
        logits, labels, detail::unwrapped(weights)...);
  }
}

}  // namespace tapeless
