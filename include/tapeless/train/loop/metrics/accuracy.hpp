// SPDX-License-Identifier: BSL-1.0
// accuracy<"logits", "label">: how often the largest logit is the right one.
#pragma once

#include <tapeless/train/loop/metrics/share_of_rows.hpp>

namespace tapeless {

/// The share of rows of the output Scores [.., classes] whose largest element is the one that the input
/// Labels [..] names. The first of equal scores counts; a row with NaN is wrong. Label is the name in
/// reports.
/// @formula hits / rows, with the standard error sqrt(p (1 - p) / rows) of a share p
/// @shapes Scores [.., classes], or [samples] or [.., 1] for two classes; Labels [..], integers as numbers of
/// any type
template <name Scores, name Labels, name Label = "accuracy">
class accuracy : public detail::share_of_rows<accuracy<Scores, Labels, Label>, Scores, Labels, Label> {
 public:
  using detail::share_of_rows<accuracy, Scores, Labels, Label>::share_of_rows;

  static bool is_hit(array_view<const double> row, std::int64_t right) {
    return detail::prediction_of(row) == right;
  }
};

}  // namespace tapeless
