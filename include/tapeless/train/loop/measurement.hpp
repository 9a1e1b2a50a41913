// SPDX-License-Identifier: BSL-1.0
// Means with their uncertainty, and reports of them by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

/// A mean and its standard error, in the unit of what is measured.
struct measurement {
  double mean = 0;
  double uncertainty = 0;
};

/// Collects the mean of samples that come in groups (batches), and its standard error from how much the
/// groups' means differ (Welford's update with weights; West, 1979).
class mean_of_groups {
 public:
  /// A group of `count` samples with the given mean.
  void add(double mean, std::int64_t count) { add_weighted(mean, static_cast<double>(count)); }
  /// The same, where samples count so often in all, also less than not at all.
  void add_weighted(double mean, double weight) {
    if (weight == 0) {
      ++left_out_;
      return;
    }
    if (weight < 0) ++negative_;
    const double delta = mean - mean_, before = total_;
    sum_ += weight * mean;
    total_ += weight;
    squares_ += weight * weight;
    mean_ += delta * (weight / total_);  // the first one's is exact
    deviations_ += weight * (before / total_) * delta * delta;
    ++groups_;
  }

  /// The uncertainty is 0 as long as there is only one group, or one that outweighs all others, or where a
  /// weight is below 0 or a mean is not finite.
  measurement get() const {
    if (negative_ > 0 || !std::isfinite(mean_)) return {sum_ / total_, 0};
    const double effective = total_ * total_ / squares_;  // the groups' number, were they of equal size
    if (!(effective > 1)) return {mean_, 0};
    const double variance = deviations_ / total_ * effective / (effective - 1);
    return {mean_, std::sqrt(variance / effective)};
  }

  /// Whether there were groups, of which none counts: no mean is known then.
  bool all_left_out() const { return groups_ == 0 && left_out_ > 0; }

  template <class State>
  void state(State& s) {
    s("total", total_), s("squares", squares_), s("mean", mean_), s("deviations", deviations_),
        s("sum", sum_);
    s("groups", groups_), s("left_out", left_out_), s("negative", negative_);
  }

 private:
  double total_ = 0, squares_ = 0, mean_ = 0, deviations_ = 0, sum_ = 0;
  std::int64_t groups_ = 0, left_out_ = 0, negative_ = 0;
};

/// The share of `count` samples that a statement holds for, with the standard error of a binomial share.
inline measurement share_of(std::int64_t hits, std::int64_t count) {
  if (count == 0) return {};
  const double p = static_cast<double>(hits) / static_cast<double>(count);
  return {p, std::sqrt(p * (1 - p) / static_cast<double>(count))};
}

/// Which way a measurement gets better.
enum class direction { unknown, down, up };

/// Measurements by name, in the order in which they were added: report["loss"].mean.
class report {
 public:
  template <class = compiled_once>
  TAPELESS_WARM void set(std::string_view name, measurement m, direction improves = direction::unknown);

  /// Throws an error that lists the names there are.
  TAPELESS_WARM const measurement& operator[](std::string_view name) const {
    return items_[index_of(name)].second;
  }
  /// Which way the measurement of that name gets better, as far as it says so: the loss by going down, a
  /// metric as its `improves` says. Throws as above.
  direction improves(std::string_view name) const { return direction(improves_[index_of(name)]); }

  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  bool empty() const { return items_.empty(); }

 private:
  std::vector<std::pair<std::string, measurement>> items_;
  std::vector<std::int64_t> improves_;  // directions

  template <class = compiled_once>
  TAPELESS_WARM std::size_t index_of(std::string_view name) const;
  [[noreturn]] TAPELESS_COLD void refuse(std::string_view name) const {
    std::string names;
    for (const auto& [known, value] : items_) append(names, {names.empty() ? "\"" : ", \"", known, "\""});
    throw_error({"there is no measurement named \"", name, "\"; there is ", names.empty() ? "none" : names});
  }
};

template <class>
void report::set(std::string_view name, measurement m, direction improves) {
  for (auto& [known, value] : items_)
    if (known == name) {
      value = m;
      return;
    }
  items_.emplace_back(name, m);
  improves_.push_back(static_cast<std::int64_t>(improves));
}

template <class>
std::size_t report::index_of(std::string_view name) const {
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (items_[i].first == name) return i;
  refuse(name);
}

/// What one epoch brought. `validation` is empty where nothing was held back for it.
struct epoch_report {
  report train;
  report validation;
  std::int64_t updates = 0;  ///< of the trainer at the epoch's end, in all its fits
  double seconds = 0;        ///< that the epoch took; after an interruption, since the fit went on
  std::int64_t number = 0;   ///< counted from 1, where the fit had a start_epoch; 0: its place in a history

  /// Its number as logs, tables and plots show it, where it is at that place, counted from 0.
  std::int64_t number_at(std::size_t place) const {
    return number > 0 ? number : static_cast<std::int64_t>(place) + 1;
  }
};

}  // namespace tapeless
