// SPDX-License-Identifier: BSL-1.0
// accuracy<"logits", "label">: how often the largest logit is the right one.
#pragma once

#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/metrics/labelled_rows.hpp>

namespace tapeless {

/// The share of rows of the output Scores [.., classes] whose largest element is the one that the input
/// Labels [..] names. The first of equal scores counts; a row with NaN is wrong. Label is the name in
/// reports.
/// @formula hits / rows, with the standard error sqrt(p (1 - p) / rows) of a share p
/// @shapes Scores [.., classes], or [..] or [.., 1] for two classes; Labels [..], integers as numbers of any
/// type
template <name Scores, name Labels, name Label = "accuracy">
class accuracy {
 public:
  static constexpr std::string_view label = Label.view();
  static constexpr direction improves = direction::up;

  accuracy() = default;
  explicit accuracy(const classifier_options& o) : rows_(o) {}

  void clear() { hits_ = count_ = 0; }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if shapes or labels do not fit.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    detail::for_each_row<Scores, Labels>(rows_, result, batch,
                                         [&](array_view<const double> row, std::int64_t right, std::int64_t) {
                                           hits_ += detail::prediction_of(row) == right ? 1 : 0;
                                           ++count_;
                                         });
  }

  measurement get() const { return share_of(hits_, count_); }

  template <class State>
  void state(State& s) {
    s("hits", hits_), s("count", count_);
  }

 private:
  detail::row_reader rows_{classifier_options{}};
  std::int64_t hits_ = 0, count_ = 0;
};

}  // namespace tapeless
