// SPDX-License-Identifier: BSL-1.0
// r2_score<"output", "target">: the share of the targets' variance that predictions explain.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/train/loop/metrics/compared_rows.hpp>

namespace tapeless {

namespace detail {

/// The sums of one column of outputs y and targets t that R2 is made of. Targets are taken relative to the
/// first one, so that digits are not lost to a large mean.
class r2_sums {
 public:
  void add(double output, double target, double weight) {
    if (count_ == 0) origin_ = target;
    const double d = target - origin_, r2 = (output - target) * (output - target), w2 = weight * weight;
    count_ += 1;
    weights_ += weight;
    const double step = d - mean_;  // Welford
    mean_ += step * weight / weights_;
    deviations_ += weight * step * (d - mean_);
    errors_ += weight * r2;
    const double powers[5] = {w2, w2 * d, w2 * d * d, w2 * d * d * d, w2 * d * d * d * d};
    for (int i = 0; i < 3; ++i) error_moments_[i] += r2 * powers[i];
    error_squares_ += w2 * r2 * r2;
    for (int i = 0; i < 5; ++i) moments_[i] += powers[i];
  }

  /// Whether there were targets: all of a column may have the weight 0.
  bool has_any() const { return count_ > 0; }

  /// 1 of targets that are all the same and all met, 0 of such that are not.
  double get() const {
    if (deviations_ == 0 && !std::isnan(errors_)) return errors_ == 0 ? 1 : 0;
    return 1 - errors_ / deviations_;
  }

  /// By the delta method: R2 = 1 - E/D, whose change with one sample more is w (q d^2 - r^2) / D, where q =
  /// E/D and d is the target's distance from the mean; the mean of these changes is 0.
  double uncertainty() const {
    if (!(deviations_ > 0) || count_ < 2) return 0;
    const double q = errors_ / deviations_, m = mean_;
    const double* s = moments_;
    const double fourth =
        s[4] - 4 * m * s[3] + 6 * m * m * s[2] - 4 * m * m * m * s[1] + m * m * m * m * s[0];
    const double mixed = error_moments_[2] - 2 * m * error_moments_[1] + m * m * error_moments_[0];
    const double variance = error_squares_ - 2 * q * mixed + q * q * fourth;
    return variance > 0 ? std::sqrt(variance) / deviations_ : 0;
  }

 private:
  double count_ = 0, weights_ = 0, origin_ = 0, mean_ = 0, deviations_ = 0, errors_ = 0, error_squares_ = 0;
  double error_moments_[3] = {}, moments_[5] = {};  // with squares of weights
};

}  // namespace detail

/// The coefficient of determination of the output Output against the input Target: 1 where all targets are
/// met, 0 of predictions that are as good as the targets' mean, below 0 of worse ones. Of several columns,
/// the mean over those that have a target whose weight is not 0. Where the targets of a column are all the
/// same it is 1 if they are met, otherwise 0; 0 of no samples; a NaN makes it NaN. As scikit-learn's
/// r2_score. The standard error is that of the delta method; of several columns, the mean of theirs, which
/// bounds it however they are correlated.
/// @formula 1 - sum (y - t)^2 / sum (t - mean t)^2, for each column over the samples
/// @shapes Output [samples, ..], Target of the same shape but for extents of 1, numbers of any type
template <name Output, name Target, name Label = "r2_score">
class r2_score {
 public:
  static constexpr std::string_view label = Label.view();
  static constexpr direction improves = direction::up;

  void clear() { columns_.clear(); }

  /// Adds a batch: a run's result and what was bound to it. Throws an error if the shapes are not the same,
  /// or batches before had another number of columns.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    detail::for_each_pair<Output, Target>(result, batch,
                                          [&](std::int64_t, std::int64_t column, std::int64_t columns,
                                              double output, double target, double weight) {
                                            if (columns_.empty())
                                              columns_.resize(static_cast<std::size_t>(columns));
                                            require_columns(columns);
                                            columns_[static_cast<std::size_t>(column)].add(output, target,
                                                                                           weight);
                                          });
  }

  measurement get() const {
    measurement sum;
    double n = 0;
    for (const detail::r2_sums& column : columns_) {
      if (!column.has_any()) continue;
      n += 1;
      sum.mean += column.get();
      sum.uncertainty += column.uncertainty();
    }
    if (n == 0) return sum;
    return {sum.mean / n, sum.uncertainty / n};
  }

  template <class State>
  void state(State& s) {
    constexpr std::size_t each = sizeof(detail::r2_sums) / sizeof(double);  // they have nothing else
    std::vector<double> numbers(columns_.size() * each);
    if (!numbers.empty()) std::memcpy(numbers.data(), columns_.data(), numbers.size() * sizeof(double));
    s("sums", numbers);
    columns_.resize(numbers.size() / each);
    if (!columns_.empty())
      std::memcpy(static_cast<void*>(columns_.data()), numbers.data(),
                  columns_.size() * sizeof(detail::r2_sums));
  }

 private:
  std::vector<detail::r2_sums> columns_;

  void require_columns(std::int64_t columns) const {
    if (columns != static_cast<std::int64_t>(columns_.size()))
      throw_error({"metrics: the output \"", Output.view(), "\" has ", columns, " columns, but had ",
                   columns_.size(), " in the batches before; clear() begins anew"});
  }
};

}  // namespace tapeless
