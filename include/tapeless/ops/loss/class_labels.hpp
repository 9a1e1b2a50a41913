// SPDX-License-Identifier: BSL-1.0
// Labels of rows of classes: what the losses of classifiers share.
#pragma once

#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless::detail {

/// Whether x has rows of classes, [..., classes], and labels one integer for each row.
constexpr bool labels_fit(value x, value labels) {
  if (x.rank() < 1 || !is_floating(x.type()) || !is_index(labels)) return false;
  shape_list rows = shape_of(x);
  --rows.rank;
  return shape_of(labels) == rows;
}

constexpr bool class_weight_fits(value x, value weight) {
  return weight.rank() == 1 && weight.type() == x.type() &&
         weight.get().shape[0] == x.get().shape[x.rank() - 1];
}

constexpr value class_weight_does_not_fit(std::string_view op, std::string_view name, value x, value weight) {
  return do_not_fit(op, {{name, x}, {"class weights", weight}},
                    "class weights of the same element type, one for each class");
}

/// The labels of x's rows, which fit it.
struct class_labels {
  value is_label;  // [..., classes]: whether the class is the row's label
  value counts;    // [..., 1]: whether the row's label is not the ignored one; absent where none is ignored
  value factor;    // [...]: 1, or NaN for labels that are none; absent where they are checked when bound

  constexpr class_labels(value x, value labels, int ignored = no_index) {
    const int last = x.rank() - 1;
    check_indices(labels, x.get().shape[last], ignored == no_index ? index_bound::none : ignored);
    const value classes = make_iota(*x.builder, shape_of(x), last, labels.type());
    const value column =
        reshape(labels, reduction_operation<sum_operation>::keep_dims_shape(x, last_axis(x)));
    is_label = classes == column;
    if (ignored != no_index) counts = column != static_cast<double>(ignored);
    if (!is_bound(labels))
      factor = factor_of_indices(labels, x.get().shape[last],
                                 ignored == no_index ? index_bound::none : ignored, x.type());
  }

  /// The elements at the labels: [..., classes] or [classes] -> [...].
  constexpr value pick(value x) const {
    return sum_operation::build(where(is_label, x, 0.0), last_axis(is_label), false);
  }

  /// x, [..., classes], without what stands in ignored rows.
  constexpr value counted(value x) const { return counts.exists() ? where(counts, x, 0.0) : x; }

  /// One number for each row, `losses`, made one; the mean is over `weight`, where there is one, and over the
  /// samples' weights.
  constexpr value reduce(std::string_view op, value losses, value weight, reduction how,
                         value sample_weights) const {
    if (factor.exists()) losses = losses * factor;
    weighted_losses all(op, losses, weight, sample_weights);
    if (counts.exists() && !losses.builder->failed()) {
      const value rows = reshape(counts, shape_of(losses));
      all.losses = where(rows, all.losses, 0.0);
      all.weight = all.weight.exists() ? where(rows, all.weight, 0.0) : cast(rows, losses.type());
    }
    return reduce_losses(all.losses, how, all.weight, all.sample);
  }
};

}  // namespace tapeless::detail
