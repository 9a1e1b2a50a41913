// SPDX-License-Identifier: BSL-1.0
// How often samples of each class were taken for which one: what confusion_matrix, precision, recall and
// f1_score count.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/metrics/labelled_rows.hpp>
#include <tapeless/train/loop/metrics/row_weights.hpp>

namespace tapeless {

/// How the numbers of classes become one: each class counts alike, or each sample.
enum class class_average : std::uint8_t { macro, micro };

/// Options of precision, recall and f1_score.
struct class_average_options {
  class_average average = class_average::macro;  ///< of all classes
  std::int64_t of_class = -1;                    ///< where it is given, that class alone
  std::int64_t ignore_index = no_label;          ///< as in classifier_options
  double threshold = 0;                          ///< as in classifier_options
  bool multilabel = false;                       ///< as in classifier_options
};

namespace detail {

/// Counts of (label, prediction), by weights. A row with NaN has no prediction, and is counted in the column
/// behind those of the classes. A template, so that programs without such a metric compile nothing of it.
template <class Sums>
class counts_of_pairs {
 public:
  void clear() {
    counts_.clear();
    samples_.clear();
    predictions_.clear();
  }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if shapes or labels do not fit.
  template <name Scores, name Labels, class Result, class Batch>
  void add(row_reader& rows, const Result& result, const Batch& batch) {
    for_each_row<Scores, Labels>(
        rows, result, batch,
        [&](array_view<const double> row, std::int64_t label, std::int64_t, double weight) {
          if (classes() == 0) make_room(row.size());
          rows.require_classes(samples_.size());
          const std::int64_t predicted = prediction_of(row);
          const std::int64_t column = predicted < 0 ? classes() : predicted;
          counts_[place(label, column)].add(weight);
          samples_[static_cast<std::size_t>(label)].add(weight);
          if (predicted >= 0) predictions_[static_cast<std::size_t>(predicted)].add(weight);
        });
  }

  /// 0 before the first batch.
  std::int64_t classes() const { return static_cast<std::int64_t>(samples_.size()); }
  /// Samples of class `label` that were taken for class `predicted`; for `classes()`, for none.
  const Sums& count(std::int64_t label, std::int64_t predicted) const {
    return counts_[place(label, predicted)];
  }
  const Sums& hits(std::int64_t c) const { return count(c, c); }
  const Sums& samples(std::int64_t c) const { return samples_[static_cast<std::size_t>(c)]; }
  const Sums& predictions(std::int64_t c) const { return predictions_[static_cast<std::size_t>(c)]; }
  /// Whether a sample has that class, or was taken for it; of others nothing is known.
  bool occurs(std::int64_t c) const { return samples(c).weight + predictions(c).weight > 0; }

  template <class State>
  void state(State& s) {
    list_state(s, "counts", counts_), list_state(s, "samples", samples_);
    list_state(s, "predictions", predictions_);
    const std::size_t n = samples_.size();
    if (predictions_.size() == n && counts_.size() == n * (n + 1)) return;
    clear();
    throw_error("metrics: the checkpoint's counts are not of the same classes");
  }

 private:
  std::vector<Sums> counts_, samples_, predictions_;

  template <class State>
  static void list_state(State& s, std::string_view name, std::vector<Sums>& all) {
    std::vector<double> numbers;
    for (const Sums& sums : all) numbers.insert(numbers.end(), {sums.weight, sums.squares});
    s(name, numbers);
    all.resize(numbers.size() / 2);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = {numbers[2 * i], numbers[2 * i + 1]};
  }

  std::size_t place(std::int64_t label, std::int64_t predicted) const {
    return static_cast<std::size_t>(label * (classes() + 1) + predicted);
  }

  TAPELESS_COLD void make_room(std::size_t classes) {
    with_memory_or({"metrics: there is not enough memory to count the pairs of ", classes, " classes"}, [&] {
      counts_.assign(classes * (classes + 1), {});
      predictions_.assign(classes, {});
      samples_.assign(classes, {});
    });
  }
};

using class_counts = counts_of_pairs<weight_sums>;

/// The hits of all classes by all that `total` counts of them.
template <class Counts>
measurement share_of_all(const Counts& n, const weight_sums& (Counts::*total)(std::int64_t) const) {
  weight_sums hits, all;
  for (std::int64_t c = 0; c < n.classes(); ++c) hits = hits + n.hits(c), all = all + (n.*total)(c);
  return share_of(hits, all);
}

/// What precision, recall and f1_score share. A derived class has
///   of_class(counts, c)                          the number of one class
///   micro(counts)                                of all samples together
///   macro_uncertainty(counts, classes)           of the mean over the classes that occur
template <class Derived, name Scores, name Labels, name Label>
class averaged_over_classes {
 public:
  static constexpr std::string_view label = Label.view();
  static constexpr direction improves = direction::up;

  averaged_over_classes() = default;
  explicit averaged_over_classes(const class_average_options& o)
      : rows_(classifier_options{o.ignore_index, o.threshold, o.multilabel}), options_(o) {}

  void clear() { counts_.clear(); }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if shapes or labels do not fit.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    counts_.template add<Scores, Labels>(rows_, result, batch);
    if (options_.of_class >= counts_.classes() && counts_.classes() > 0)
      throw_error({"metrics: ", label, " is asked for class ", options_.of_class, ", but there are ",
                   counts_.classes(), " classes, from 0 on"});
  }

  measurement get() const {
    if (counts_.classes() == 0) return {};
    if (options_.of_class >= 0) return Derived::of_class(counts_, options_.of_class);
    return options_.average == class_average::micro ? Derived::micro(counts_) : macro();
  }

  template <class State>
  void state(State& s) {
    counts_.state(s);
  }

  /// The number of each class.
  std::vector<measurement> per_class() const {
    std::vector<measurement> all;
    for (std::int64_t c = 0; c < counts_.classes(); ++c) all.push_back(Derived::of_class(counts_, c));
    return all;
  }

 private:
  row_reader rows_{classifier_options{}};
  class_average_options options_;
  class_counts counts_;

  measurement macro() const {
    double sum = 0, classes = 0;
    for (std::int64_t c = 0; c < counts_.classes(); ++c) {
      if (!counts_.occurs(c)) continue;
      sum += Derived::of_class(counts_, c).mean;
      classes += 1;
    }
    return classes > 0 ? measurement{sum / classes, Derived::macro_uncertainty(counts_) / classes}
                       : measurement{};
  }
};

/// The standard error of a sum of independent shares, one for each class.
template <class ShareOf>
double uncertainty_of_sum(const class_counts& counts, ShareOf share_of_class) {
  double variance = 0;
  for (std::int64_t c = 0; c < counts.classes(); ++c) {
    const double u = share_of_class(counts, c).uncertainty;
    variance += u * u;
  }
  return std::sqrt(variance);
}

}  // namespace detail

}  // namespace tapeless
