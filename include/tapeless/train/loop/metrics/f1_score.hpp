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
/// @shapes Scores [.., classes], or [samples] or [.., 1] for two classes; Labels [..], integers as numbers of
/// any type
template <name Scores, name Labels, name Label = "f1_score">
class f1_score
    : public detail::averaged_over_classes<f1_score<Scores, Labels, Label>, Scores, Labels, Label> {
 public:
  using detail::averaged_over_classes<f1_score, Scores, Labels, Label>::averaged_over_classes;

  static measurement of_class(const detail::class_counts& n, std::int64_t c) {
    return of(n.hits(c), all(n, c), (n.samples(c) + n.predictions(c) - n.hits(c) - n.hits(c)).squares);
  }
  static measurement micro(const detail::class_counts& n) {
    detail::weight_sums hits, samples, predictions;
    for (std::int64_t c = 0; c < n.classes(); ++c) {
      hits = hits + n.hits(c);
      samples = samples + n.samples(c);
      predictions = predictions + n.predictions(c);
    }
    // A wrong prediction adds two to the denominator 2 TP + FP + FN, a row without one adds 1.
    return of(hits, samples.weight + predictions.weight,
              4 * (predictions - hits).squares + (samples - predictions).squares);
  }

  // Delta method: the sum of F changes by g(i, j) with one more sample of class i that is taken for class j,
  // and the numbers of such samples are multinomial; the mean of g is 0.
  static double macro_uncertainty(const detail::class_counts& n) {
    double variance = 0;
    for (std::int64_t i = 0; i < n.classes(); ++i)
      for (std::int64_t j = 0; j <= n.classes(); ++j) {
        if (n.count(i, j).weight == 0) continue;
        const double g = (i == j ? 2 / all(n, i) : 0) - slope(n, i) - (j < n.classes() ? slope(n, j) : 0);
        variance += n.count(i, j).squares * g * g;
      }
    return std::sqrt(variance);
  }

 private:
  static double all(const detail::class_counts& n, std::int64_t c) {
    return (n.samples(c) + n.predictions(c)).weight;
  }
  static double slope(const detail::class_counts& n, std::int64_t c) {
    return 2 * n.hits(c).weight / (all(n, c) * all(n, c));
  }

  // F = 2 hits / all, where all = 2 hits + misses. By the delta method: F changes by 2 (1 - F) w / all with a
  // hit more, by -F w / all with what adds w to the misses; these have such sums of squares.
  static measurement of(const detail::weight_sums& hits, double all, double squares_of_misses) {
    if (!(all > 0)) return {};
    const double f = 2 * hits.weight / all;
    const double variance = 4 * hits.squares * (1 - f) * (1 - f) + squares_of_misses * f * f;
    return {f, variance > 0 ? std::sqrt(variance) / all : 0};
  }
};

}  // namespace tapeless
