// SPDX-License-Identifier: BSL-1.0
// How often the rows of a batch count, and sums of such weights.
#pragma once

#include <cstdint>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/train/loop/measurement.hpp>

namespace tapeless::detail {

/// Sums over rows of their weights, and of the weights' squares, which errors are made of: without weights
/// both are the number of rows.
struct weight_sums {
  double weight = 0, squares = 0;
  void add(double w) {
    weight += w;
    squares += w * w;
  }
  weight_sums operator+(const weight_sums& o) const { return {weight + o.weight, squares + o.squares}; }
  weight_sums operator-(const weight_sums& o) const { return {weight - o.weight, squares - o.squares}; }
  /// How many rows of equal weights are as good.
  double effective() const { return squares > 0 ? weight * weight / squares : 0; }
};

/// The share of `all` rows that a statement holds for; 0 of none. The standard error takes rows as
/// independent: sqrt(sum w^2 (x - p)^2) / sum w, where x is 1 or 0; that of a binomial share without weights.
inline measurement share_of(const weight_sums& hits, const weight_sums& all) {
  if (!(all.weight > 0)) return {};
  const double p = hits.weight / all.weight;
  const double variance = hits.squares * (1 - p) * (1 - p) + (all.squares - hits.squares) * p * p;
  return {p, variance > 0 ? std::sqrt(variance) / all.weight : 0};
}

/// Every row counts once.
struct equal_weights {
  double operator()(std::int64_t) const { return 1; }
};

/// Weights of rows, or of samples of several rows; where elements are compared, each is a row.
template <class View>
class given_weights {
 public:
  /// Throws an error where they are not as many as rows or samples.
  given_weights(View weights, std::int64_t rows, std::int64_t rows_of_a_sample)
      : weights_(weights), rows_of_a_weight_(rows_of_a_sample) {
    const auto count = static_cast<std::int64_t>(weights_.size());
    if (count == rows) rows_of_a_weight_ = 1;
    if (count * rows_of_a_weight_ != rows)
      throw_error({"metrics: the sample weights have the shape ", io::shape_text(weights_.shape()),
                   ", but there are ", rows / rows_of_a_sample, " samples of ", rows_of_a_sample,
                   " rows or elements: one weight for each sample fits, or one for each of these"});
  }
  double operator()(std::int64_t row) const {
    const auto weight = static_cast<double>(weights_.begin()[row / rows_of_a_weight_]);
    if (!(weight >= 0))
      throw_error({"metrics: a sample weight is ", weight, "; it must be a number that is 0 or more"});
    return weight;
  }

 private:
  View weights_;
  std::int64_t rows_of_a_weight_;
};

/// The weight of each of a batch's rows, by its number: those of the samples, where the batch has some.
template <class Batch>
auto weights_of_rows(const Batch& batch, std::int64_t rows, std::int64_t rows_of_a_sample) {
  if constexpr (requires { batch.sample_weights(); }) {
    return given_weights(batch.sample_weights(), rows, rows_of_a_sample);
  } else {
    return equal_weights();
  }
}

/// Collects the elements of one sample after another: the mean of each, which counts by its weights' sum.
class means_of_samples {
 public:
  explicit means_of_samples(mean_of_groups& to) : to_(to) {}
  void add(double value, double weight) {
    sum_ += weight * value;
    weights_ += weight;
  }
  void end_sample() {
    if (weights_ > 0) to_.add_weighted(sum_ / weights_, weights_);
    sum_ = weights_ = 0;
  }

 private:
  mean_of_groups& to_;
  double sum_ = 0, weights_ = 0;
};

}  // namespace tapeless::detail
