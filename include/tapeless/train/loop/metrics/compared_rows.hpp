// SPDX-License-Identifier: BSL-1.0
// A batch of outputs beside its targets: what the metrics of regression read.
#pragma once

#include <cstdint>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/metrics/row_weights.hpp>

namespace tapeless {

namespace detail {

/// The number of samples, which are indices of the target's first axis, as of any input; of the output's
/// where the target has none or that is 1. Throws an error unless the shapes are the same, but for extents of
/// 1: [32] and [32, 1] are, and [1, 32].
inline std::int64_t compared_samples(std::string_view output, array_view<const std::int64_t> outputs,
                                     std::string_view target, array_view<const std::int64_t> targets) {
  std::size_t i = 0, j = 0;
  for (;; ++i, ++j) {
    while (i < outputs.size() && outputs[i] == 1) ++i;
    while (j < targets.size() && targets[j] == 1) ++j;
    if (i == outputs.size() || j == targets.size() || outputs[i] != targets[j]) break;
  }
  if (i == outputs.size() && j == targets.size()) {
    if (!targets.empty() && targets[0] != 1) return targets[0];
    return outputs.empty() ? 1 : outputs[0];
  }
  throw_error({"metrics: the output \"", output, "\" has the shape ", io::shape_text(outputs),
               " and the input \"", target, "\" the shape ", io::shape_text(targets),
               "; they must be the same, but for extents of 1"});
}

/// Calls f(sample, column, columns, output, target, weight) for all elements of a batch, sample after sample.
/// Weights are those of samples, or where there are as many, of elements; what has the weight 0 is left out.
template <name Output, name Target, class Result, class Batch, class F>
void for_each_pair(const Result& result, const Batch& batch, F f) {
  const auto outputs = result.template get<Output>();
  const auto targets = batch.template get<Target>();
  const std::int64_t samples =
      compared_samples(Output.view(), outputs.extents(), Target.view(), targets.extents());
  const auto* output = outputs.begin();
  const auto* target = targets.begin();
  const std::int64_t columns = samples > 0 ? static_cast<std::int64_t>(outputs.size()) / samples : 0;
  const auto weights = weights_of_rows(batch, samples * columns, columns);
  for (std::int64_t i = 0; i < samples; ++i, output += columns, target += columns)
    for (std::int64_t j = 0; j < columns; ++j)
      if (const double weight = weights(i * columns + j); weight > 0)
        f(i, j, columns, static_cast<double>(output[j]), static_cast<double>(target[j]), weight);
}

/// The mean over all elements of Error::of(output, target), a single error; the standard error is that of the
/// mean of as many samples, each with the mean of its elements.
template <class Error, name Output, name Target, name Label>
class mean_error {
 public:
  static constexpr std::string_view label = Label.view();
  static constexpr direction improves = direction::down;

  void clear() { mean_ = {}; }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if the shapes are not the same.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    means_of_samples means(mean_);
    std::int64_t last = 0;
    for_each_pair<Output, Target>(
        result, batch,
        [&](std::int64_t sample, std::int64_t, std::int64_t, double output, double target, double weight) {
          if (sample != last) means.end_sample();
          last = sample;
          means.add(Error::of(output, target), weight);
        });
    means.end_sample();
  }

  measurement get() const { return mean_.get(); }

  template <class State>
  void state(State& s) {
    mean_.state(s);
  }

 private:
  mean_of_groups mean_;
};

}  // namespace detail

}  // namespace tapeless
