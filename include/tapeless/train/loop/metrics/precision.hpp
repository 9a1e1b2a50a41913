// SPDX-License-Identifier: BSL-1.0
// precision<"logits", "label">: how often a sample that is taken for a class is of that class.
#pragma once

#include <tapeless/train/loop/metrics/class_counts.hpp>

namespace tapeless {

/// Of the samples that a classifier takes for a class, the share that are of it: of the output Scores [..,
/// classes] against the input Labels [..]. The mean over classes (macro), or of all samples together (micro),
/// or of one class; `per_class()` has them all. A class that no sample is taken for has precision 0. One that
/// does not occur at all, neither as a label nor as a prediction, is left out of the mean. The first of equal
/// scores is the prediction; a row with NaN has none. As scikit-learn's precision_score.
/// @formula TP_c / (TP_c + FP_c); macro: the mean over c; micro: sum_c TP_c / sum_c (TP_c + FP_c)
/// @shapes Scores [.., classes], or [samples] or [.., 1] for two classes; Labels [..], integers as numbers of
/// any type
template <name Scores, name Labels, name Label = "precision">
class precision
    : public detail::averaged_over_classes<precision<Scores, Labels, Label>, Scores, Labels, Label> {
 public:
  using detail::averaged_over_classes<precision, Scores, Labels, Label>::averaged_over_classes;

  static measurement of_class(const detail::class_counts& n, std::int64_t c) {
    return detail::share_of(n.hits(c), n.predictions(c));
  }
  static measurement micro(const detail::class_counts& n) {
    return detail::share_of_all(n, &detail::class_counts::predictions);
  }
  static double macro_uncertainty(const detail::class_counts& n) {
    return detail::uncertainty_of_sum(n, &of_class);
  }
};

}  // namespace tapeless
