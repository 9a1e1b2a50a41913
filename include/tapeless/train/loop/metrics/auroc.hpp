// SPDX-License-Identifier: BSL-1.0
// auroc<"logits", "label">: the area under the curve of hits over false alarms.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/metrics/labelled_rows.hpp>
#include <tapeless/train/loop/metrics/row_weights.hpp>
#include <tapeless/train/loop/metrics/sorted_runs.hpp>

namespace tapeless {

/// Options of auroc.
struct auroc_options {
  bool probabilities = false;            ///< scores of several classes are probabilities, not logits
  std::int64_t ignore_index = no_label;  ///< as in classifier_options
  bool multilabel = false;               ///< as in classifier_options
};

namespace detail {

/// How often a sample of a class has a higher score than one of another class.
template <class Number>
class ranked_class {
 public:
  /// Adds scores of samples of the class, and of others.
  void add(array_view<const ranked<Number>> inside, array_view<const ranked<Number>> outside) {
    if (!all_numbers(inside) || !all_numbers(outside)) {
      has_nan_ = true;
      return;
    }
    outside_.add(outside);
    for (const ranked<Number>& x : inside) twice_above_ += x.weight * outside_.twice_below(x.number);
    for (const ranked<Number>& x : outside)
      twice_above_ += x.weight * (2 * inside_sums_.weight - inside_.twice_below(x.number));
    inside_.add(inside);
    for (const ranked<Number>& x : inside) inside_sums_.add(x.weight);
    for (const ranked<Number>& x : outside) outside_sums_.add(x.weight);
  }

  /// Whether there are samples of the class, and others.
  bool is_known() const { return has_nan_ || (inside_.size() > 0 && outside_.size() > 0); }

  /// NaN where a score was NaN. The standard error is that of Hanley and McNeil (1982), of as many samples as
  /// have the same effect where all weights are equal.
  measurement get() const {
    if (has_nan_ || !is_known()) return {std::numeric_limits<double>::quiet_NaN(), 0};
    const double n = inside_sums_.effective(), m = outside_sums_.effective();
    const double a = twice_above_ / (2 * inside_sums_.weight * outside_sums_.weight);
    const double q1 = a / (2 - a), q2 = 2 * a * a / (1 + a);
    const double variance = (a * (1 - a) + (n - 1) * (q1 - a * a) + (m - 1) * (q2 - a * a)) / (n * m);
    return {a, variance > 0 ? std::sqrt(variance) : 0};
  }

  /// All that was added, as numbers.
  TAPELESS_COLD void write(std::vector<double>& scores, std::vector<double>& numbers) const {
    for (const sorted_runs<Number>* runs : {&inside_, &outside_}) {
      for (const ranked<Number>& x : runs->items()) scores.insert(scores.end(), {x.number, x.weight});
      numbers.push_back(static_cast<double>(runs->runs()));
      for (std::size_t r = 0; r < runs->runs(); ++r) numbers.push_back(static_cast<double>(runs->length(r)));
    }
    numbers.insert(numbers.end(), {twice_above_, has_nan_ ? 1. : 0., inside_sums_.weight,
                                   inside_sums_.squares, outside_sums_.weight, outside_sums_.squares});
  }
  /// Takes it back from the beginning of both, which it is taken off; whether there is as much.
  TAPELESS_COLD bool read(array_view<const double>& scores, array_view<const double>& numbers) {
    if (!read_runs(inside_, scores, numbers) || !read_runs(outside_, scores, numbers)) return false;
    if (numbers.size() < 6) return false;
    twice_above_ = numbers[0];
    has_nan_ = numbers[1] != 0;
    inside_sums_ = {numbers[2], numbers[3]};
    outside_sums_ = {numbers[4], numbers[5]};
    numbers = numbers.subspan(6);
    return true;
  }

 private:
  sorted_runs<Number> inside_, outside_;
  weight_sums inside_sums_, outside_sums_;
  double twice_above_ = 0;  // pairs of one inside and one outside that is lower; equal ones are half
  bool has_nan_ = false;

  TAPELESS_COLD static bool read_runs(sorted_runs<Number>& to, array_view<const double>& scores,
                                      array_view<const double>& numbers) {
    if (numbers.empty() || !(numbers[0] >= 0 && numbers[0] < static_cast<double>(numbers.size())))
      return false;
    const auto lengths = numbers.subspan(1, static_cast<std::size_t>(numbers[0]));
    numbers = numbers.subspan(1 + lengths.size());
    for (const double length : lengths) {
      if (!(length >= 1 && length <= static_cast<double>(scores.size() / 2))) return false;
      std::vector<ranked<Number>> run;
      for (std::size_t k = 0; k < static_cast<std::size_t>(length); ++k) {
        run.push_back({scores[2 * k], scores[2 * k + 1]});
        if (k > 0 && run[k].number < run[k - 1].number) return false;
      }
      to.add_run(run);
      scores = scores.subspan(2 * run.size());
    }
    return true;
  }

  static bool all_numbers(array_view<const ranked<Number>> all) {
    for (const ranked<Number>& x : all)
      if (std::isnan(x.number)) return false;
    return true;
  }
};

/// The logarithm of softmax(row)[c] without what all classes have in common: larger where that is larger,
/// infinite where all other classes are impossible.
inline double log_odds_of(array_view<const double> row, std::size_t c) {
  double largest = below_all<double>, others = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (i != c && (row[i] > largest || std::isnan(row[i]))) largest = row[i];
  if (largest == below_all<double> && row[c] > largest) return above_all<double>;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (i != c) others += std::exp(row[i] - largest);
  return row[c] - largest - std::log(others);
}

}  // namespace detail

/// The area under the receiver operating characteristic: the chance that a sample of class 1 has a higher
/// score than one of class 0, where equal scores count half. Of two scores [.., 2] it takes their difference.
/// Of more classes, each is taken against the rest by its probability, softmax of Scores. The result is the
/// mean over the classes that some samples have and others have not; `per_class()` has them all. NaN where a
/// score is NaN, or has no probability (a logit of +infinity, or none above -infinity), or no such class is
/// there. Exact: it keeps all scores of a pass. As scikit-learn's roc_auc_score (multi_class = "ovr"). The
/// standard error is that of Hanley and McNeil, "The meaning and use of the area under a ROC curve" (1982).
/// Of several classes it is the mean of theirs, which bounds it however they are correlated.
/// @formula (1 / (n m)) sum_ij [s_i > s_j] + [s_i = s_j] / 2, over i of the class and j of the others
/// @shapes Scores [samples], [.., 1] or [.., classes]; Labels [..], integers as numbers of any type
template <name Scores, name Labels, name Label = "auroc">
class auroc {
 public:
  static constexpr std::string_view label = Label.view();
  static constexpr direction improves = direction::up;

  auroc() = default;
  explicit auroc(const auroc_options& o)
      : rows_(classifier_options{.ignore_index = o.ignore_index, .multilabel = o.multilabel}),
        probabilities_(o.probabilities) {}

  void clear() { classes_.clear(); }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if shapes or labels do not fit.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    scores_.clear();
    labels_.clear();
    weights_.clear();
    detail::for_each_row<Scores, Labels>(
        rows_, result, batch,
        [&](array_view<const double> row, std::int64_t right, std::int64_t, double weight) {
          if (classes_.empty()) classes_.resize(row.size() == 2 ? 1 : row.size());
          rows_.require_classes(classes_.size() == 1 ? 2 : classes_.size());
          labels_.push_back(right);
          weights_.push_back(weight);
          if (row.size() == 2) {
            scores_.push_back(row[1] - row[0]);
          } else {
            for (std::size_t c = 0; c < row.size(); ++c)
              scores_.push_back(probabilities_ ? row[c] : detail::log_odds_of(row, c));
          }
        });
    for (std::size_t c = 0; c < classes_.size(); ++c) add_class(c);
  }

  measurement get() const {
    double classes = 0;
    measurement sum;
    for (const detail::ranked_class<double>& c : classes_) {
      if (!c.is_known()) continue;
      const measurement m = c.get();
      sum.mean += m.mean;
      sum.uncertainty += m.uncertainty;
      classes += 1;
    }
    if (classes == 0) return {std::numeric_limits<double>::quiet_NaN(), 0};
    return {sum.mean / classes, sum.uncertainty / classes};
  }

  /// Of each class against the rest; of two classes, that of class 1 alone.
  std::vector<measurement> per_class() const {
    std::vector<measurement> all;
    for (const detail::ranked_class<double>& c : classes_) all.push_back(c.get());
    return all;
  }

  template <class State>
  void state(State& s) {
    std::vector<double> scores, numbers;
    for (const detail::ranked_class<double>& c : classes_) c.write(scores, numbers);
    s("scores", scores), s("numbers", numbers);
    if (!s.gives()) return;
    classes_.clear();
    array_view<const double> scores_left(scores), numbers_left(numbers);
    while (!numbers_left.empty() || !scores_left.empty())
      if (!classes_.emplace_back().read(scores_left, numbers_left))
        throw_error("auroc: the checkpoint has not as many scores as it says");
  }

 private:
  detail::row_reader rows_{classifier_options{}};
  bool probabilities_ = false;
  std::vector<detail::ranked_class<double>> classes_;
  std::vector<double> scores_, weights_;  // of one batch
  std::vector<detail::ranked<double>> inside_, outside_;
  std::vector<std::int64_t> labels_;

  void add_class(std::size_t c) {
    const std::int64_t number = classes_.size() == 1 ? 1 : static_cast<std::int64_t>(c);
    inside_.clear();
    outside_.clear();
    for (std::size_t i = 0; i < labels_.size(); ++i)
      (labels_[i] == number ? inside_ : outside_).push_back({scores_[i * classes_.size() + c], weights_[i]});
    classes_[c].add(inside_, outside_);
  }
};

}  // namespace tapeless
