// SPDX-License-Identifier: BSL-1.0
// confusion_matrix<"logits", "label">: how often samples of each class are taken for which one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tapeless/train/loop/metrics/class_counts.hpp>
#include <tapeless/train/loop/metrics/confusion_table.hpp>

namespace tapeless {

/// Options of confusion_matrix.
struct confusion_matrix_options {
  std::vector<std::string> classes{};    ///< their names in the table; numbers where there are none
  std::int64_t ignore_index = no_label;  ///< as in classifier_options
  double threshold = 0;                  ///< as in classifier_options
  bool multilabel = false;               ///< as in classifier_options
};

/// How often samples of each class are taken for which one: the output Scores [.., classes] against the input
/// Labels [..]. The first of equal scores is the prediction; a row with NaN has none. It reports no number:
/// it is read afterwards, with what was last measured, which in a fit with validation is the last epoch's.
/// @formula n_ij: samples of class i whose largest score is that of class j
/// @shapes Scores [.., classes], or [samples] or [.., 1] for two classes; Labels [..], integers as numbers of
/// any type
template <name Scores, name Labels>
class confusion_matrix {
 public:
  static constexpr std::string_view label = "confusion_matrix";

  confusion_matrix() = default;
  explicit confusion_matrix(confusion_matrix_options o)
      : rows_(classifier_options{o.ignore_index, o.threshold, o.multilabel}), names_(std::move(o.classes)) {}

  void clear() { counts_.clear(); }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if shapes or labels do not fit.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    counts_.template add<Scores, Labels>(rows_, result, batch);
  }

  template <class State>
  void state(State& s) {
    counts_.state(s);
  }

  /// How many classes there are; 0 before the first batch.
  std::int64_t classes() const { return counts_.classes(); }

  /// Samples of class `right` that were taken for class `predicted`, or for none, where that is `classes()`;
  /// of samples with weights, the sum of these. Throws an error if there are no such classes.
  double count(std::int64_t right, std::int64_t predicted) const {
    if (right < 0 || right >= classes() || predicted < 0 || predicted > classes())
      throw_error({"confusion_matrix: there is no count of class ", right, " as class ", predicted, " in ",
                   classes(), " classes"});
    return counts_.count(right, predicted).weight;
  }

  /// The matrix as text: a line for each class and a column for each prediction, with recall at the right,
  /// precision below, and accuracy in the corner. Zeros are dots.
  std::string table() const { return detail::confusion_table(counts_, names_); }

 private:
  detail::row_reader rows_{classifier_options{}};
  std::vector<std::string> names_;
  detail::class_counts counts_;
};

}  // namespace tapeless
