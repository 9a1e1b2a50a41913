// SPDX-License-Identifier: BSL-1.0
// What metrics share that count the rows which are right.
#pragma once

#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/metrics/labelled_rows.hpp>
#include <tapeless/train/loop/metrics/row_weights.hpp>

namespace tapeless::detail {

/// The share of rows for which Derived::is_hit(row, right) holds, where `right` is the row's class.
template <class Derived, name Scores, name Labels, name Label>
class share_of_rows {
 public:
  static constexpr std::string_view label = Label.view();
  static constexpr direction improves = direction::up;

  share_of_rows() = default;
  explicit share_of_rows(const classifier_options& o) : rows_(o) {}

  void clear() { hits_ = all_ = {}; }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if shapes or labels do not fit.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    for_each_row<Scores, Labels>(rows_, result, batch, count());
  }

  measurement get() const { return detail::share_of(hits_, all_); }

  template <class State>
  void state(State& s) {
    s("hits", hits_.weight), s("hit_squares", hits_.squares);
    s("all", all_.weight), s("squares", all_.squares);
  }

 private:
  row_reader rows_{classifier_options{}};
  weight_sums hits_, all_;

  auto count() {
    return [this](array_view<const double> row, std::int64_t right, std::int64_t, double weight) {
      if (Derived::is_hit(row, right)) hits_.add(weight);
      all_.add(weight);
    };
  }
};

}  // namespace tapeless::detail
