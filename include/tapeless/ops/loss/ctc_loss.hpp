// SPDX-License-Identifier: BSL-1.0
// ctc_loss(log_probabilities, targets, input_lengths, target_lengths): the likelihood of labels whose times
// are not known.
#pragma once

#include <limits>

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/logsumexp.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

namespace detail {

/// log(e^a + e^b + e^c); -infinity, with the gradient 0, where all three are.
constexpr value log_add_exp(value a, value b, value c) {
  const value largest = stop_gradient(max(max(a, b), c)), finite = finite_part(largest);
  const value total = exp(a - finite) + exp(b - finite) + exp(c - finite);
  const value empty = largest == -std::numeric_limits<double>::infinity();
  return where(empty, largest, log(where(empty, 1.0, total)) + finite);
}

}  // namespace detail

/// The forward variables of the extended labels (blank, label 0, blank, label 1, ..., blank), after one time
/// after the other.
template <loss Options, int SampleWeights = 0>
struct ctc_loss_statement {
  static constexpr bool built_once = true;
  static constexpr std::string_view name = "ctc_loss";
  static constexpr int arity = 4 + SampleWeights;
  static constexpr text refusal() {
    if (Options.blank >= 0) return {};
    return text() << "ctc_loss takes a blank that is a class: 0 or more, but got " << Options.blank;
  }

  static constexpr value build(value x, value targets, value input_lengths, value target_lengths,
                               value sample_weights = {}) {
    if (!detail::require_options<&loss::blank, &loss::zero_infinity>(name, Options, x)) return x;
    x = detail::without_removed(x, sample_weights, 0);
    if (!fit(x, targets, input_lengths, target_lengths))
      return detail::do_not_fit(name,
                                {{"log-probabilities", x},
                                 {"targets", targets},
                                 {"input lengths", input_lengths},
                                 {"target lengths", target_lengths}},
                                "floating log-probabilities [time, batch, classes], integer targets [batch, "
                                "labels], and integer lengths [batch]");
    graph& g = *x.builder;
    const std::int64_t classes = x.get().shape[2];
    if (extent_table::is_literal(classes) && Options.blank >= classes)
      return x.fail(text() << "ctc_loss: the blank " << Options.blank << " is none of the " << classes
                           << " classes");
    if (g.region != 0) return x.fail(text() << "ctc_loss in the body of scan");
    detail::check_indices(input_lengths, g.extents.add(x.get().shape[0], 1));
    detail::check_indices(target_lengths, g.extents.add(targets.get().shape[1], 1));
    const value last = forward_variables(x, targets, input_lengths, target_lengths);
    const value position = make_iota(g, shape_of(last), 1, target_lengths.type());
    const value end = 2 * column(target_lengths);
    const value is_last = position == end || position == end - 1;
    value losses = -logsumexp_operation::build(where(is_last, last, -infinity), 1u << 1, false);
    if (Options.zero_infinity) losses = where(losses == infinity, 0.0, losses);
    losses =
        checked(checked(losses, input_lengths, x.get().shape[0]), target_lengths, targets.get().shape[1]);
    if (Options.reduce == reduction::mean) losses = losses / cast(max(target_lengths, 1), x.type());
    return detail::reduce_weighted(name, losses, Options.reduce, sample_weights);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  static constexpr bool fit(value x, value targets, value input_lengths, value target_lengths) {
    if (x.rank() != 3 || !is_floating(x.type()) || targets.rank() != 2) return false;
    const std::int64_t batch = x.get().shape[1];
    const shape_list lengths{1, {batch}};
    for (const value& v : {targets, input_lengths, target_lengths})
      if (!detail::is_wide_index(v)) return false;
    return targets.get().shape[0] == batch && shape_of(input_lengths) == lengths &&
           shape_of(target_lengths) == lengths;
  }

  // The losses, NaN where a length that the model computes is not from 0 to `largest`.
  static constexpr value checked(value losses, value lengths, std::int64_t largest) {
    if (detail::is_bound(lengths)) return losses;
    const std::int64_t end = losses.builder->extents.add(largest, 1);
    return losses * detail::factor_of_indices(lengths, end, index_bound::none, losses.type());
  }

  // [batch] -> [batch, 1]
  static constexpr value column(value lengths) { return reshape(lengths, {2, {lengths.get().shape[0], 1}}); }

  // log of the probability of all ways to have reached each extended label at the input's end: [batch,
  // 2 labels + 1]. Two more, which nothing reaches, stand before the first in the loop.
  static constexpr value forward_variables(value x, value targets, value input_lengths,
                                           value target_lengths) {
    graph& g = *x.builder;
    const shape_list given = shape_of(targets);
    const std::int64_t time = x.get().shape[0], batch = given.extents[0];
    const std::int64_t labels = g.extents.add(g.extents.multiply(given.extents[1], 2), 1);
    const std::int64_t states = g.extents.add(labels, 2);

    // Classes less the blank: pad makes blanks between the labels.
    const value is_given = make_iota(g, given, 1, target_lengths.type()) < column(target_lengths);
    const value label = where(is_given, targets, Options.blank) - Options.blank;
    const value extended = pad(label, 1, 1, 2, labels);
    const value two_before = slice(pad(extended, 1, 2, 1, states), 1, 0, 1, labels);
    const value may_skip = extended != two_before;  // no blank: two before it is another
    const shape_list all{3, {time, batch, labels}};
    const value index = expand(reshape(extended + Options.blank, {3, {1, batch, labels}}), all);
    const value emissions = gather(x, 2, index);

    const value nothing = expand(make_constant(g, -infinity, x.type()), {2, {batch, 2}});
    const value first = make_iota(g, {2, {batch, states}}, 1, element::i64) == 2;
    const value start = where(first, make_constant(g, 0, x.type()), make_constant(g, -infinity, x.type()));
    const value times = make_iota(g, {1, {time}}, 0, input_lengths.type()), ends = column(input_lengths);

    g.open_region({time, false, false});
    const value alpha{&g, g.carry(start.id)};
    const value stay = slice(alpha, 1, 2, 1, labels), step = slice(alpha, 1, 1, 1, labels);
    const value skip = where(may_skip, slice(alpha, 1, 0, 1, labels), -infinity);
    const value reached = detail::log_add_exp(stay, step, skip) + value{&g, g.in_iteration(emissions.id)};
    const value parts[] = {nothing, where(value{&g, g.in_iteration(times.id)} < ends, reached, stay)};
    g.set_next(alpha.id, concat(parts, 2, 1).id);
    const value last{&g, g.last_value(alpha.id)};
    g.region = 0;
    return slice(last, 1, 2, 1, labels);
  }
};

/// -log of a probability: that the classes, one for each time, drawn independently, become the labels when
/// runs of one class are made one and then blanks are taken out (Graves et al., 2006). It takes
/// log-probabilities [time, batch, classes], as of log_softmax, targets [batch, labels] of
/// an integer type. It takes the numbers of times and of labels that count, [batch] each -> [], or [batch]
/// with reduction::none. The mean divides each loss by its number of labels, or 1, first. A label that counts
/// is a class and not loss::blank; the others may be anything. Lengths that are inputs are checked when they
/// are bound: 0 <= input length <= time, 0 <= target length <= labels; with lengths that the model computes
/// the loss of what does not keep to that is NaN. The loss of labels that do not fit into the times is
/// infinity, or 0 with loss::zero_infinity; its gradient is 0. Reads loss::reduce, loss::blank and
/// loss::zero_infinity.
/// @formula -log P(labels | log-probabilities), over all alignments with blanks
/// @shapes floating [time, batch, classes], integers [batch, labels], [batch] and [batch] -> []
/// @errors ctc_loss unread_loss_options ctc_blank losses_of_less
/// @torch torch.nn.functional.ctc_loss
/// @jax optax.ctc_loss
/// @given p = [[[-1, -0.6, -2.5]], [[-0.5, -1.2, -2.3]]]; t = int32 [[1]]; n = int32 [2]; m = int32 [1]
/// @gives tl::ctc_loss(p, t, n, m) = 0.496
template <loss Options = loss{}, sample_weights_operand... W>
  requires(sizeof...(W) <= 1)
TAPELESS_FACTORY auto ctc_loss(operand auto log_probabilities, operand auto targets,
                               operand auto input_lengths, operand auto target_lengths, W... sample_weights) {
  return make<ctc_loss_statement<Options, sizeof...(W)>>(
      log_probabilities, targets, input_lengths, target_lengths, detail::weights_in(sample_weights)...);
}

/// Refuses a call without lengths.
template <loss Options = loss{}, detail::called_with X, class... More>
  requires(sizeof...(More) < 3)
constexpr auto ctc_loss(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"ctc_loss"},
                             sentence{"it takes how many times and labels count, too, integers [batch]"},
                             sentence{"(log_probabilities, targets, input_lengths, target_lengths)"}>(
      x, more...);
}

}  // namespace tapeless
