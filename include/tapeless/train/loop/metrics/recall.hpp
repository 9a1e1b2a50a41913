// SPDX-License-Identifier: BSL-1.0
// recall<"logits", "label">: how many of a class's samples are found.
#pragma once

#include <tapeless/train/loop/metrics/class_counts.hpp>

namespace tapeless {

/// Of the samples of a class, the share that a classifier takes for it: of the output Scores [.., classes]
/// against the input Labels [..]. The mean over classes (macro, the balanced accuracy), or of all samples
/// together (micro, the accuracy), or of one class; `per_class()` has them all. A class without samples that
/// some are taken for has recall 0. One that does not occur at all, neither as a label nor as a prediction,
/// is left out of the mean. The first of equal scores is the prediction; a row with NaN has none. As
/// scikit-learn's recall_score.
/// @formula TP_c / (TP_c + FN_c); macro: the mean over c; micro: sum_c TP_c / sum_c (TP_c + FN_c)
/// @shapes Scores [.., classes], or [samples] or [.., 1] for two classes; Labels [..], integers as numbers of
/// any type
template <name Scores, name Labels, name Label = "recall">
class recall : public detail::averaged_over_classes<recall<Scores, Labels, Label>, Scores, Labels, Label> {
 public:
  using detail::averaged_over_classes<recall, Scores, Labels, Label>::averaged_over_classes;

  static measurement of_class(const detail::class_counts& n, std::int64_t c) {
    return detail::share_of(n.hits(c), n.samples(c));
  }
  static measurement micro(const detail::class_counts& n) {
    return detail::share_of_all(n, &detail::class_counts::samples);
  }
  static double macro_uncertainty(const detail::class_counts& n) {
    return detail::uncertainty_of_sum(n, &of_class);
  }
};

}  // namespace tapeless
