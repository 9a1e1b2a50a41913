// SPDX-License-Identifier: BSL-1.0
// What the parts of a batch count in its loss.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/train/loop/evaluate.hpp>
#include <tapeless/train/program/loss_over_samples.hpp>

namespace tapeless::detail {

/// By part: the number that its loss divides by, or is as if it did. Weights are in the samples, which are
/// read for that.
template <class Net, class Source>
void find_weights_of_parts(list<double>& weights, Net& net, array_view<const std::int64_t> samples,
                           std::int64_t part_size, Source& source, std::int64_t pass) {
  weights.clear();
  for_each_batch(samples, part_size, [&](array_view<const std::int64_t> part, auto) {
    const auto count = static_cast<std::int64_t>(part.size());
    if constexpr (Net::loss_kind == over_samples::weighted) {
      weights.push(net.loss_weight_of(count, source.gather(part, pass)));
    } else {
      weights.push(static_cast<double>(count));
    }
  });
}

inline double sum_of(const list<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  return sum;
}

/// Makes of the weights what each part counts in the batch, which divides by `all`.
inline void make_shares(list<double>& weights, over_samples loss_kind, double all) {
  for (double& w : weights) w = share_in_loss(loss_kind, w, all);
}

}  // namespace tapeless::detail
