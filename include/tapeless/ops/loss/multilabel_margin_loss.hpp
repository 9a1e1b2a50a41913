// SPDX-License-Identifier: BSL-1.0
// multilabel_margin_loss(x, labels): how far other classes come within a margin of several right ones.
#pragma once

#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/loss/class_labels.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

template <loss Options, int SampleWeights = 0>
struct multilabel_margin_loss_statement {
  static constexpr std::string_view name = "multilabel_margin_loss";
  static constexpr int arity = 2 + SampleWeights;
  static constexpr value build(value x, value labels, value sample_weights = {}) {
    if (!detail::require_options<>(name, Options, x)) return x;
    x = detail::without_removed(x, sample_weights);
    if (x.rank() < 1 || x.rank() >= max_rank || !is_floating(x.type()) || !detail::is_index(labels) ||
        !(shape_of(labels) == shape_of(x)))
      return detail::do_not_fit(
          name, {{"scores", x}, {"labels", labels}},
          "floating scores [..., classes] and integer labels of the same shape, ended by -1");
    graph& g = *x.builder;
    const int last = x.rank() - 1;
    const std::int64_t classes = x.get().shape[last];
    detail::check_indices(labels, classes, -1);
    const bool bound = detail::is_bound(labels);
    labels = detail::as_index(labels);

    // Labels are what stands before the first -1.
    const value place = make_iota(g, shape_of(x), last, labels.type());
    const value end = min_reduction_operation::build(where(labels < 0, place, make_size(g, classes)),
                                                     detail::last_axis(x), true);
    const value is_given = place < end;

    // [..., labels, classes]: whether the class is that label.
    shape_list pairs = shape_of(x), column = pairs, row = pairs;
    pairs.extents[pairs.rank++] = classes;
    column.extents[column.rank++] = 1;
    row.extents[row.rank++] = classes;
    row.extents[last] = 1;
    const value is_label =
        reshape(is_given, column) && reshape(labels, column) == make_iota(g, pairs, last + 1, labels.type());
    const value is_any = max_reduction_operation::build(is_label, 1u << last, true);
    const value scores = reshape(x, row);
    const value right = sum_operation::build(where(is_label, scores, 0.0), 1u << (last + 1), true);
    const value counts = reshape(is_given, column) && !is_any;
    const value within = where(counts, relu(1.0 - (right - scores)), 0.0);
    value losses = detail::at_least_float(within, [&](value of) {
      return sum_operation::build(of, 3u << last, false) / make_size(g, classes);
    });
    if (!bound) {
      const value factor = detail::factor_of_indices(labels, classes, -1, x.type());
      losses = losses * max_reduction_operation::build(factor, detail::last_axis(x), false);
    }
    return detail::reduce_weighted(name, losses, Options.reduce, sample_weights);
  }
};

/// The sum over each label y and each class j that is none of the labels of max(0, 1 - (x[y] - x[j])),
/// divided by the number of classes: scores x [..., classes], labels of an integer type and the same shape,
/// of which those before the first -1 count -> [], or [...] with reduction::none. Labels that are an input
/// are checked when they are bound: -1 <= label < classes; with labels that the model computes the loss and
/// the gradient of a row in which one is neither are NaN. Takes [..., classes, classes] elements of work.
/// Reads loss::reduce.
/// @formula mean of sum over labels y and others j of max(0, 1 - (x_y - x_j)) / classes
/// @shapes floating x [.., classes], integer labels [.., classes] -> []
/// @errors multilabel_labels unread_loss_options
/// @torch torch.nn.functional.multilabel_margin_loss
/// @jax none: written out in models
/// @given x = [0.1, 0.2, 0.4, 0.8]; labels = int32 [3, 0, -1, 1]
/// @gives tl::multilabel_margin_loss(x, labels) = 0.85
template <loss Options = loss{}, operand X, operand Y, sample_weights_operand... W>
  requires(sizeof...(W) <= 1)
TAPELESS_FACTORY auto multilabel_margin_loss(X x, Y labels, W... sample_weights) {
  return make<multilabel_margin_loss_statement<Options, sizeof...(W)>>(x, labels,
                                                                       detail::weights_in(sample_weights)...);
}

}  // namespace tapeless
