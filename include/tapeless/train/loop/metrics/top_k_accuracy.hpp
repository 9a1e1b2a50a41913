// SPDX-License-Identifier: BSL-1.0
// top_k_accuracy<"logits", "label", 5>: how often the right class is among those with the largest logits.
#pragma once

#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/metrics/labelled_rows.hpp>

namespace tapeless {

/// The share of rows of the output Scores [.., classes] in which the class that the input Labels [..] names
/// is among the K largest; its name in reports is "top_5_accuracy" for 5. Of equal scores the first ones are
/// larger; a row with NaN is wrong; with no more than K classes every other row is right.
/// @formula rows with #{c : s_c > s_y, or s_c = s_y and c < y} < K, over all rows; the error is that of a
/// share
/// @shapes Scores [.., classes], or [..] or [.., 1] for two classes; Labels [..], integers as numbers of any
/// type
template <name Scores, name Labels, int K, name Label = name("top_") + K + "_accuracy">
class top_k_accuracy {
  static_assert(K >= 1, "tapeless: top_k_accuracy looks at one class or more");

 public:
  static constexpr std::string_view label = Label.view();
  static constexpr direction improves = direction::up;

  top_k_accuracy() = default;
  explicit top_k_accuracy(const classifier_options& o) : rows_(o) {}

  void clear() { hits_ = count_ = 0; }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if shapes or labels do not fit.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    detail::for_each_row<Scores, Labels>(rows_, result, batch,
                                         [&](array_view<const double> row, std::int64_t right, std::int64_t) {
                                           hits_ += is_hit(row, static_cast<std::size_t>(right)) ? 1 : 0;
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

  static bool is_hit(array_view<const double> row, std::size_t right) {
    int before = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (std::isnan(row[i])) return false;
      before += row[i] > row[right] || (row[i] == row[right] && i < right) ? 1 : 0;
    }
    return before < K;
  }
};

}  // namespace tapeless
