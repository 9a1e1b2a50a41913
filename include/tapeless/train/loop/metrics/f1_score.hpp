// SPDX-License-Identifier: BSL-1.0
// f1_score<"logits", "label">: the harmonic mean of precision and recall.
#pragma once

#include <tapeless/train/loop/metrics/class_counts.hpp>

namespace tapeless {

/// The harmonic mean of a class's precision and recall: of the output Scores [.., classes] against the input
/// Labels [..]. The mean over classes (macro), or of all samples together (micro, the accuracy), or of one
/// class; `per_class()` has them all. A class without a hit has 0; one that does not occur at all, neither as
/// a label nor as a prediction, is left out of the mean. The first of equal scores is the prediction; a row
/// with NaN has none. As scikit-learn's f1_score; the standard error is that of Takahashi, Yamamoto, Kuchiba
/// and Koyama, "Confidence interval for micro-averaged F1 and macro-averaged F1 scores" (2022).
/// @formula F_c = 2 TP_c / (2 TP_c + FP_c + FN_c); macro: the mean over c; micro: of the sums over c
/// @shapes Scores [.., classes], or [..] or [.., 1] for two classes; Labels [..], integers as numbers of any
/// type
template <name Scores, name Labels, name Label = "f1_score">
class f1_score
    : public detail::averaged_over_classes<f1_score<Scores, Labels, Label>, Scores, Labels, Label> {
 public:
  using detail::averaged_over_classes<f1_score, Scores, Labels, Label>::averaged_over_classes;

  static measurement of_class(const detail::class_counts& n, std::int64_t c) {
    return of(n.hits(c), n.samples(c) + n.predictions(c));
  }
  static measurement micro(const detail::class_counts& n) {
    double hits = 0, samples = 0, predictions = 0;
    for (std::int64_t c = 0; c < n.classes(); ++c) {
      hits += static_cast<double>(n.hits(c));
      samples += static_cast<double>(n.samples(c));
      predictions += static_cast<double>(n.predictions(c));
    }
    if (samples == 0) return {};
    // A wrong prediction adds two to the denominator 2 TP + FP + FN, a row without one adds 1.
    const double all = samples + predictions, misses = all - 2 * hits;
    const double wrong = predictions - hits, none = samples - predictions;
    return {2 * hits / all,
            2 * std::sqrt(hits * (misses * misses + hits * (4 * wrong + none))) / (all * all)};
  }

  // Delta method: the sum of F changes by g(i, j) with one more sample of class i that is taken for class j,
  // and the numbers of such samples are multinomial; the mean of g is 0.
  static double macro_uncertainty(const detail::class_counts& n) {
    double variance = 0;
    for (std::int64_t i = 0; i < n.classes(); ++i)
      for (std::int64_t j = 0; j <= n.classes(); ++j) {
        if (n.count(i, j) == 0) continue;
        const double g = (i == j ? 2 / all(n, i) : 0) - slope(n, i) - (j < n.classes() ? slope(n, j) : 0);
        variance += static_cast<double>(n.count(i, j)) * g * g;
      }
    return std::sqrt(variance);
  }

 private:
  static double all(const detail::class_counts& n, std::int64_t c) {
    return static_cast<double>(n.samples(c) + n.predictions(c));
  }
  static double slope(const detail::class_counts& n, std::int64_t c) {
    return 2 * static_cast<double>(n.hits(c)) / (all(n, c) * all(n, c));
  }

  // 2 hits / all, where all = 2 hits + misses.
  static measurement of(std::int64_t hits, std::int64_t all) {
    if (all == 0) return {};
    const auto h = static_cast<double>(hits), a = static_cast<double>(all), misses = a - 2 * h;
    return {2 * h / a, 2 * std::sqrt(h * misses * (h + misses)) / (a * a)};
  }
};

}  // namespace tapeless
