// SPDX-License-Identifier: BSL-1.0
// weighted<"w">(metric): a metric in which samples count as often as their weights say.
#pragma once

#include <utility>

#include <tapeless/expr/contract.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/train/loop/meter.hpp>

namespace tapeless {

namespace detail {

/// A batch whose samples have weights.
template <name Weights, class Batch>
struct weighted_batch {
  const Batch& batch;
  template <name Name>
  auto get() const {
    return batch.template get<Name>();
  }
  auto sample_weights() const { return batch.template get<Weights>(); }
  auto sample_numbers() const
    requires requires { batch.sample_numbers(); }
  {
    return batch.sample_numbers();
  }
};

}  // namespace detail

/// What weighted() returns: the metric, with all that it has.
template <name Weights, class Metric>
class weighted_metric : public Metric {
 public:
  explicit weighted_metric(Metric metric) : Metric(std::move(metric)) {}

  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch)
    requires requires(Metric& m) { m.add(result, detail::weighted_batch<Weights, Batch>{batch}); }
  {
    Metric::add(result, detail::weighted_batch<Weights, Batch>{batch});
  }
};

/// A metric in which each sample counts as often as the input Weights says: [batch], or where there are
/// several rows in a sample, such as tokens, a weight for each of them, or for each element of what is
/// compared with targets, some of which are masked. 2 is the sample twice, 0 is as if it were not there,
/// whatever its label and scores are; only their ratios matter. Numbers are those of scikit-learn's
/// sample_weight. The standard errors take samples, each with its weight, as independent.
///
///   auto accuracy = tl::weighted<"w">(tl::accuracy<"logits", "y">());
///   tl::fit(net, data, {.epochs = 5}, accuracy);   // where the model has an input "w"
///
/// A metric of one's own finds them at batch.sample_weights(), which batches have for who is asked so.
template <name Weights, class Metric>
weighted_metric<Weights, Metric> weighted(Metric metric) {
  static_assert(is_metric<Metric>, "tapeless: weighted<\"w\">(metric) takes a metric, such as accuracy");
  return weighted_metric<Weights, Metric>(std::move(metric));
}

}  // namespace tapeless
