// SPDX-License-Identifier: BSL-1.0
// Rows of scores with their labels: what the metrics of classifiers read, and what they make of it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/train/loop/metrics/row_weights.hpp>

namespace tapeless {

/// Stands for no label at all.
inline constexpr std::int64_t no_label = std::numeric_limits<std::int64_t>::min();

/// Options of the metrics of classifiers.
struct classifier_options {
  std::int64_t ignore_index = no_label;  ///< samples with this label count nothing, as in cross_entropy
  double threshold = 0;  ///< where there is one score: class 1 is above it; 0 of logits, 0.5 of probabilities
  bool multilabel = false;  ///< each score has a label of its own, 0 or 1: both are [samples, .., labels]
};

namespace detail {

/// The class with the largest score, the first of several; -1 where a score is NaN.
inline std::int64_t prediction_of(array_view<const double> scores) {
  std::size_t largest = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores[i])) return -1;
    if (scores[i] > scores[largest]) largest = i;
  }
  return static_cast<std::int64_t>(largest);
}

/// Checks a batch of scores and labels, and holds one row of it at a time. A single score s becomes the row
/// {threshold, s}.
class row_reader {
 public:
  explicit row_reader(const classifier_options& o) : options_(o) {}

  /// A batch begins: of scores [.., classes] and labels [..], or of single scores [samples] or [.., 1] for
  /// the classes 0 and 1. Throws an error for other shapes: scores of the labels' shape may be of classes
  /// that ones among zeros name, or of several labels for each sample, which is taken where it is said.
  template <class = compiled_once>
  void begin(std::string_view scores, array_view<const std::int64_t> shape, std::string_view labels,
             array_view<const std::int64_t> rows);

  /// Whether the label of that row counts. Throws an error if it is no class, or no integer.
  bool counts(double label, std::int64_t row) const {
    if (options_.ignore_index != no_label && label == static_cast<double>(options_.ignore_index))
      return false;
    if (label >= 0 && label < static_cast<double>(row_.size()) && label == std::floor(label)) return true;
    refuse_label(label, row);
  }

  /// The numbers of the batch's samples in a data set, where it is known of which they are.
  void name_samples(array_view<const std::int64_t> numbers) { samples_ = numbers; }

  /// Throws an error where the batches before this one had another number of classes.
  void require_classes(std::size_t before) const {
    if (row_.size() != before)
      throw_error({"metrics: the output \"", scores_, "\" has ", row_.size(), " classes, but had ", before,
                   " in the batches before; clear() begins anew"});
  }

  /// How many scores a row has in the batch.
  std::int64_t width() const { return width_; }
  /// How many rows belong to one sample, which is an index of the first axis.
  std::int64_t rows_of_a_sample() const { return rows_of_a_sample_; }
  /// Where the scores of a row go.
  double* scores() { return row_.data() + (width_ == 1 ? 1 : 0); }
  /// The row: a score for each class.
  array_view<const double> row() const { return {row_.data(), row_.size()}; }

 private:
  classifier_options options_;
  std::string_view scores_, labels_;
  array_view<const std::int64_t> samples_;
  std::int64_t width_ = 0, rows_of_a_sample_ = 1;
  std::vector<double> row_;

  [[noreturn]] TAPELESS_COLD void refuse(array_view<const std::int64_t> shape,
                                         array_view<const std::int64_t> rows) const {
    throw_error(
        {"metrics: the output \"", scores_, "\" has the shape ", io::shape_text(shape), " and the input \"",
         labels_, "\" the shape ", io::shape_text(rows),
         "; what fits are scores [.., classes] and labels [..] that name a class, or one score for the "
         "classes 0 and 1: [samples] or [.., 1], or of any shape where the option multilabel says so"});
  }

  template <class = compiled_once>
  [[noreturn]] TAPELESS_COLD void refuse_label(double label, std::int64_t row) const;

  TAPELESS_COLD static std::string label_text(double label) {
    if (std::abs(label) < 1e15 && label == std::floor(label)) return join({static_cast<std::int64_t>(label)});
    return join({label});
  }
};

template <class>
TAPELESS_SELDOM void row_reader::begin(std::string_view scores, array_view<const std::int64_t> shape,
                                       std::string_view labels, array_view<const std::int64_t> rows) {
  scores_ = scores;
  labels_ = labels;
  const std::size_t axes = rows.size();
  const bool is_column = shape.size() == axes && axes > 0 && shape[axes - 1] == 1;
  const bool is_single = is_column || (shape.size() == axes && (axes <= 1 || options_.multilabel));
  bool fits = is_single || (shape.size() == axes + 1 && (shape[axes] == 1 || !options_.multilabel));
  for (std::size_t i = 0; fits && i < axes; ++i) fits = shape[i] == rows[i];
  if (!fits) refuse(shape, rows);
  width_ = is_single ? 1 : shape[axes];
  row_.assign(static_cast<std::size_t>(width_ == 1 ? 2 : width_), options_.threshold);
  std::int64_t all = 1;
  for (const std::int64_t extent : rows) all *= extent;
  rows_of_a_sample_ = axes > 0 && rows[0] > 0 ? all / rows[0] : 1;
}

template <class>
void row_reader::refuse_label(double label, std::int64_t row) const {
  const auto sample = static_cast<std::size_t>(row / rows_of_a_sample_);
  throw_error({"metrics: the input \"", labels_, "\" has the label ", label_text(label),
               sample < samples_.size() ? join({" in sample ", samples_[sample], " of the data set"}) : "",
               "; \"", scores_, "\" has ", row_.size(),
               " classes, from 0 on (the option ignore_index leaves a label out)"});
}

// Of its own, so that programs whose results are of other types share it.
template <class Score, class Labels, class Weights, class F>
[[gnu::noinline]] void for_each_counted_row(row_reader& reader, const Score* score, const Labels& labels,
                                            const Weights& weights, F& f) {
  std::int64_t row = 0;
  for (const auto given : labels) {
    const double weight = weights(row);
    if (const auto label = static_cast<double>(given); weight > 0 && reader.counts(label, row)) {
      for (std::int64_t i = 0; i < reader.width(); ++i) reader.scores()[i] = static_cast<double>(score[i]);
      f(reader.row(), static_cast<std::int64_t>(label), row / reader.rows_of_a_sample(), weight);
    }
    score += reader.width();
    ++row;
  }
}

/// Calls f(row, label, sample, weight) for the rows of a batch whose labels count: a score for each class,
/// the right one, which sample of the batch it is, and how often it counts, which is not 0.
template <name Scores, name Labels, class Result, class Batch, class F>
void for_each_row(row_reader& reader, const Result& result, const Batch& batch, F f) {
  const auto scores = result.template get<Scores>();
  const auto labels = batch.template get<Labels>();
  reader.begin(Scores.view(), scores.extents(), Labels.view(), labels.extents());
  array_view<const std::int64_t> samples;
  if constexpr (requires { batch.sample_numbers(); }) samples = batch.sample_numbers();
  reader.name_samples(samples);
  const auto weights =
      weights_of_rows(batch, static_cast<std::int64_t>(labels.size()), reader.rows_of_a_sample());
  for_each_counted_row(reader, scores.begin(), labels, weights, f);
}

}  // namespace detail

}  // namespace tapeless
