// SPDX-License-Identifier: BSL-1.0
// cross_entropy(logits, target): the negative log-likelihood of the right classes.
#pragma once

#include <limits>

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/loss/class_labels.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/logsumexp.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

template <loss Options, int ClassWeights, int SampleWeights = 0>
struct cross_entropy_statement {
  static constexpr std::string_view name = "cross_entropy";
  static constexpr int arity = 2 + ClassWeights + SampleWeights;
  static constexpr text refusal() {
    if (Options.label_smoothing >= 0 && Options.label_smoothing <= 1) return {};
    return text() << "cross_entropy takes a label_smoothing from 0 to 1, but got " << Options.label_smoothing;
  }

  static constexpr value build(value logits, value target, value third = {}, value fourth = {}) {
    if (!detail::require_options<&loss::label_smoothing, &loss::ignore_index, &loss::axis>(name, Options,
                                                                                           logits))
      return logits;
    value class_weight = ClassWeights > 0 ? third : value{};
    const value sample_weights = SampleWeights == 0 ? value{} : ClassWeights > 0 ? fourth : third;
    logits = detail::without_removed(logits, sample_weights, normal_axis(Options.axis, logits.rank()));
    target = detail::without_removed(target, sample_weights, normal_axis(Options.axis, logits.rank()));
    const bool labels = detail::labels_fit(logits, target, Options.axis);
    if (!labels && !(normal_axis(Options.axis, logits.rank()) >= 0 && detail::are_alike(logits, target)))
      return detail::labels_do_not_fit(
          name, {"logits", logits}, target,
          Options.axis == -1 ? "floating logits [..., classes] and integer labels [...], or "
                               "probabilities of the shape and type of the logits"
                             : "floating logits with the classes along loss::axis and integer labels "
                               "of their shape without it, or probabilities of the shape and type of "
                               "the logits");
    if (!labels && Options.ignore_index != no_index)
      return logits.fail(text() << name << ": ignore_index is for integer labels, but the target is of type "
                                << name_of(target.type()));
    if (class_weight.exists() && !detail::class_weight_fits(logits, class_weight, Options.axis))
      return detail::class_weight_does_not_fit(name, "logits", logits, class_weight);
    class_weight = detail::along_classes(class_weight, logits, Options.axis);
    return labels ? of_labels(logits, target, class_weight, sample_weights)
                  : of_probabilities(logits, target, class_weight, sample_weights);
  }

 private:
  static constexpr double smoothing = Options.label_smoothing;

  static constexpr unsigned classes(value logits) { return 1u << normal_axis(Options.axis, logits.rank()); }

  // log(sum(e^logits)) - x, for x [...] or [..., classes]: of large numbers the difference is taken first.
  static constexpr value less(value logits, value x) {
    if (is_half(x.type())) return cast(less(cast(logits, element::f32), cast(x, element::f32)), x.type());
    const logsumexp_operation::parts total = logsumexp_operation::parts_of(logits, classes(logits));
    if (x.rank() < logits.rank()) return total.rest + (total.largest - x);
    const shape_list kept = reduction_operation<sum_operation>::keep_dims_shape(logits, classes(logits));
    return reshape(total.rest, kept) + (reshape(total.largest, kept) - x);
  }

  // -log(p_c) for all classes
  static constexpr value surprises(value logits) { return less(logits, logits); }

  static constexpr value class_count(value logits) {
    return make_size(*logits.builder, logits.get().shape[normal_axis(Options.axis, logits.rank())]);
  }

  static constexpr value of_classes(value class_weight, value losses, value sample_weights) {
    return detail::times_factors(class_weight, losses, sample_weights,
                                 normal_axis(Options.axis, losses.rank()));
  }

  static constexpr value of_labels(value logits, value target, value class_weight, value sample_weights) {
    const detail::class_labels labels(logits, target, Options.ignore_index, Options.axis);
    const value x = labels.counted(logits);
    value losses = less(x, labels.pick(x)), weight;
    if (class_weight.exists()) {
      weight = labels.pick(class_weight);
      losses = detail::times_factors(weight, losses, sample_weights);
    }
    if (smoothing > 0) {
      const value all =
          class_weight.exists() ? of_classes(class_weight, surprises(x), sample_weights) : surprises(x);
      losses = (1 - smoothing) * losses + detail::at_least_float(all, [&](value of) {
                 return sum_operation::build(of, classes(x), false) * (smoothing / class_count(x));
               });
    }
    return labels.reduce(name, losses, weight, Options.reduce, sample_weights);
  }

  // A class of probability 0 whose logit is -infinity adds nothing.
  static constexpr value of_probabilities(value x, value p, value class_weight, value sample_weights) {
    if (smoothing > 0) p = (1 - smoothing) * p + smoothing / class_count(x);
    const value absent = p == 0.0 && x == -std::numeric_limits<double>::infinity();
    const value expected = p * where(absent, 0.0, surprises(x));
    const value all = class_weight.exists() ? of_classes(class_weight, expected, sample_weights) : expected;
    return detail::reduce_weighted(name, sum_operation::build(all, classes(x), false), Options.reduce,
                                   sample_weights);
  }
};

/// log(sum(e^logits)) - logits[label] for each row: logits [..., classes], labels [...] of an integer type ->
/// [], or [...] with reduction::none. Labels that are an input are checked when they are bound:
/// 0 <= label < classes, or loss::ignore_index, whose rows count nothing; with labels that the model computes
/// the loss and the gradient of a row whose label is neither are NaN. With class weights w [classes], a
/// row counts w[label] times, and the mean divides by the sum of these. With loss::label_smoothing e (Szegedy
/// et al., 2016) a row's loss is (1 - e) w[label] (-log p[label]) + e / classes * sum_c w[c] (-log p[c]).
/// The target may also be probabilities q of the logits' shape and type: sum_c w[c] q[c] (-log p[c]), whose
/// mean divides by the number of rows. The classes stand along loss::axis, the last one: {.axis = 1} is how
/// PyTorch has images, [batch, classes, ...] with labels [batch, ...]. A row of logits that are all -infinity
/// has no softmax: its loss is NaN, unless it is ignored, and the other rows' gradients are as without it.
/// The mean over no rows is NaN.
/// @formula mean over the rows of log(sum_c e^(x_c)) - x_label
/// @shapes floating logits [.., classes], integer labels [..] -> []
/// @errors labels unread_loss_options labels_of_pixels labels_are_no_integers class_weights
/// ignored_probabilities ignored_label_as_argument
/// @torch torch.nn.functional.cross_entropy
/// @jax optax.softmax_cross_entropy_with_integer_labels
/// @given logits = [[2, 1, 0], [0, 0, 3]]; labels = int32 [0, 2]
/// @gives tl::cross_entropy(logits, labels) = 0.2513
/// @gives tl::cross_entropy<tl::loss{.reduce = tl::reduction::none}>(logits, labels) = [0.4076, 0.09492]
template <loss Options = loss{}, operand X, operand Y, class... More>
  requires(detail::own_and_sample_weights<More...>)
TAPELESS_FACTORY auto cross_entropy(X logits, Y labels, More... weights) {
  if constexpr ((plain_number<More> || ...)) {
    return detail::refuse_call<sentence{"cross_entropy"}, detail::options_are_template_arguments,
                               sentence{"<tl::loss{.ignore_index = -100}>(logits, labels)"}>(logits, labels,
                                                                                             weights...);
  } else {
    constexpr int samples = detail::sample_weights_among<More...>();
    return make<cross_entropy_statement<Options, int(sizeof...(More)) - samples, samples>>(
        logits, labels, detail::unwrapped(weights)...);
  }
}

}  // namespace tapeless
