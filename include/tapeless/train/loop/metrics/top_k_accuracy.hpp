// SPDX-License-Identifier: BSL-1.0
// top_k_accuracy<"logits", "label", 5>: how often the right class is among those with the largest logits.
#pragma once

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/train/loop/metrics/share_of_rows.hpp>

namespace tapeless {

/// The share of rows of the output Scores [.., classes] in which the class that the input Labels [..] names
/// is among the K largest; its name in reports is "top_5_accuracy" for 5. Of equal scores the first ones are
/// larger, as in accuracy (in scikit-learn's top_k_accuracy_score the last ones are); a row with NaN is
/// wrong; with no more than K classes every other row is right.
/// @formula rows with #{c : s_c > s_y, or s_c = s_y and c < y} < K, over all rows; the error is that of a
/// share
/// @shapes Scores [.., classes], or [samples] or [.., 1] for two classes; Labels [..], integers as numbers of
/// any type
template <name Scores, name Labels, int K, name Label = name("top_") + K + "_accuracy">
class top_k_accuracy
    : public detail::share_of_rows<top_k_accuracy<Scores, Labels, K, Label>, Scores, Labels, Label> {
  static_assert(K >= 1, "tapeless: top_k_accuracy looks at one class or more");

 public:
  using detail::share_of_rows<top_k_accuracy, Scores, Labels, Label>::share_of_rows;

  static bool is_hit(array_view<const double> row, std::int64_t right) {
    const auto own = static_cast<std::size_t>(right);
    int before = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (std::isnan(row[i])) return false;
      before += row[i] > row[own] || (row[i] == row[own] && i < own) ? 1 : 0;
    }
    return before < K;
  }
};

}  // namespace tapeless
