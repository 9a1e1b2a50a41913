// SPDX-License-Identifier: BSL-1.0
// Labels of rows of classes: what the losses of classifiers share.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/indexing/index_values.hpp>
#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless::detail {

/// x's shape without the axis.
constexpr shape_list shape_without(value x, int axis) {
  shape_list rows = shape_of(x);
  for (int i = axis; i + 1 < rows.rank; ++i) rows.extents[i] = rows.extents[i + 1];
  --rows.rank;
  return rows;
}

/// Whether x has rows of classes, along the axis `classes`, and labels one integer for each row.
constexpr bool labels_fit(value x, value labels, int classes = -1) {
  const int axis = normal_axis(classes, x.rank());
  if (axis < 0 || !is_floating(x.type()) || !is_index(labels)) return false;
  return shape_of(labels) == shape_without(x, axis);
}

/// The failed value of rows that do not fit their labels, whose sentence names the option where labels fit
/// classes along axis 1.
constexpr value labels_do_not_fit(std::string_view op, const named_operand& rows, value labels,
                                  std::string_view takes) {
  text t;
  t << takes;
  if (labels_fit(rows.v, labels, 1))
    t << "; for classes along axis 1 write tl::" << op << "<tl::loss{.axis = 1}>";
  return do_not_fit(op, {rows, {"labels", labels}}, t.view());
}

constexpr bool class_weight_fits(value x, value weight, int classes = -1) {
  return weight.rank() == 1 && weight.type() == x.type() &&
         weight.get().shape[0] == x.get().shape[normal_axis(classes, x.rank())];
}

/// One number for each class, [classes], as it broadcasts to x, whose axis `classes` has them.
constexpr value along_classes(value weight, value x, int classes) {
  const int axis = normal_axis(classes, x.rank());
  if (!weight.exists() || axis + 1 == x.rank()) return weight;
  shape_list s{.rank = x.rank() - axis, .extents = {weight.get().shape[0]}};
  for (int i = 1; i < s.rank; ++i) s.extents[i] = 1;
  return reshape(weight, s);
}

inline constexpr sentence options_are_template_arguments{
    "its third operand are weights, and numbers are options, which are template arguments"};

constexpr value class_weight_does_not_fit(std::string_view op, std::string_view name, value x, value weight) {
  return do_not_fit(op, {{name, x}, {"class weights", weight}},
                    weight.type() == element::boolean
                        ? "class weights of the same element type, one for each class, and a mask of rows as "
                          "tl::sample_weights(tl::cast<float>(mask))"
                        : "class weights of the same element type, one for each class");
}

/// The labels of x's rows, which fit it. Shapes are those of classes along the last axis.
struct class_labels {
  unsigned axis;   // that of the classes, as a bit
  value is_label;  // [..., classes]: whether the class is the row's label
  value counts;    // [..., 1]: whether the row's label is not the ignored one; absent where none is ignored
  value factor;    // [...]: 1, or NaN for labels that are none; absent where they are checked when bound

  constexpr class_labels(value x, value labels, int ignored = no_index, int along = -1)
      : axis(1u << normal_axis(along, x.rank())) {
    const int place = normal_axis(along, x.rank());
    const std::int64_t count = x.get().shape[place];
    check_indices(labels, count, ignored == no_index ? index_bound::none : ignored);
    const bool bound = is_bound(labels);
    labels = as_index(labels);
    const value numbers = are_exact(count, ignored) ? cast(labels, computed_in(x.type())) : labels;
    const value classes = make_iota(*x.builder, shape_of(x), place, numbers.type());
    const value column = reshape(numbers, reduction_operation<sum_operation>::keep_dims_shape(x, axis));
    is_label = classes == column;
    if (ignored != no_index) counts = column != static_cast<double>(ignored);
    if (!bound)
      factor = factor_of_indices(labels, count, ignored == no_index ? index_bound::none : ignored, x.type());
  }

  /// Whether floating numbers tell each class and the ignored label from all other labels: a kernel of one
  /// type of numbers runs in vectors.
  static constexpr bool are_exact(std::int64_t count, std::int64_t ignored) {
    constexpr std::int64_t limit = 1 << 24;
    return extent_table::is_literal(count) && count < limit &&
           (ignored == no_index || (ignored > -limit && ignored < limit));
  }

  /// The elements at the labels: [..., classes] or [classes] -> [...].
  constexpr value pick(value x) const { return sum_operation::build(where(is_label, x, 0.0), axis, false); }

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
