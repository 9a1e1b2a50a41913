// SPDX-License-Identifier: BSL-1.0
// perplexity<"logits", "label">: among how many equally likely classes a model is undecided.
#pragma once

#include <limits>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/metrics/labelled_rows.hpp>

namespace tapeless {

namespace detail {

/// -log of the probability that softmax of the row gives to that class; NaN where a score is NaN or the
/// largest one infinite.
inline double surprise_of(array_view<const double> row, std::int64_t right) {
  double largest = row[0];
  for (const double x : row) largest = x > largest || std::isnan(x) ? x : largest;
  double sum = 0;
  for (const double x : row) sum += std::exp(x - largest);
  return std::log(sum) - (row[static_cast<std::size_t>(right)] - largest);
}

}  // namespace detail

/// e to the power of the mean cross entropy of the output Logits [.., classes] and the input Labels [..]: 1
/// is certain and right, the number of classes is a guess. Options such as a loss's label_smoothing do not
/// count. Infinite where a right class has the probability 0; a NaN, or an infinite largest logit, makes it
/// NaN; 1 of no samples. The standard error takes samples (indices of the first axis) as independent, not
/// their tokens.
/// @formula exp(-(1/n) sum log softmax(logits)[label]); its error is that of the mean times the perplexity
/// @shapes Logits [.., classes], or [samples] or [.., 1] for two classes; Labels [..], integers as numbers of
/// any type
template <name Logits, name Labels, name Label = "perplexity">
class perplexity {
 public:
  static constexpr std::string_view label = Label.view();
  static constexpr direction improves = direction::down;

  perplexity() = default;
  explicit perplexity(const classifier_options& o) : rows_(o) {}

  void clear() {
    mean_ = {};
    is_infinite_ = false;
  }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if shapes or labels do not fit.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    double sum = 0, weights = 0;
    std::int64_t current = 0;
    const auto end_sample = [&] {
      if (std::isinf(sum)) {
        is_infinite_ = true;
      } else {
        mean_.add_weighted(sum / weights, weights);
      }
      sum = weights = 0;
    };
    detail::for_each_row<Logits, Labels>(
        rows_, result, batch,
        [&](array_view<const double> row, std::int64_t right, std::int64_t sample, double weight) {
          if (sample != current) end_sample();
          current = sample;
          sum += weight * detail::surprise_of(row, right);
          weights += weight;
        });
    end_sample();
  }

  measurement get() const {
    const measurement m = mean_.get();
    if (is_infinite_ && !std::isnan(m.mean)) return {std::numeric_limits<double>::infinity(), 0};
    const double p = std::exp(m.mean);
    return {p, std::isfinite(p) ? p * m.uncertainty : 0};
  }

  template <class State>
  void state(State& s) {
    mean_.state(s);
    s("is_infinite", is_infinite_);
  }

 private:
  detail::row_reader rows_{classifier_options{}};
  mean_of_groups mean_;  // of finite ones
  bool is_infinite_ = false;
};

}  // namespace tapeless
