// SPDX-License-Identifier: BSL-1.0
// reduce_on_plateau({...}): shrinks when a measure has not got better for some time.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/optim/schedules/between.hpp>

namespace tapeless {

struct reduce_on_plateau_options {
  double start = 1e-3;
  double factor = 0.1;
  std::int64_t patience = 10;  ///< measurements without getting better that are put up with
  double threshold = 1e-4;     ///< what counts as better: by this share of the best
  bool absolute = false;       ///< by the threshold itself, rather than by a share
  bool maximize = false;       ///< larger is better
  std::int64_t cooldown = 0;   ///< measurements after a reduction that are not counted
  double min = 0;
  double epsilon = 1e-8;  ///< smaller changes are not made
};

/// A schedule that looks at no step but at measurements: add(loss), once an epoch, say. Copies share what
/// they have seen, so that the one in a rule follows the one that is fed.
class plateau_schedule {
 public:
  static constexpr std::string_view label = "reduce_on_plateau";

  // A template, so that who has no such schedule compiles nothing of it.
  template <std::same_as<reduce_on_plateau_options> Options>
  explicit plateau_schedule(const Options& o) : seen_(std::make_shared<history>(o)) {}

  double operator()(std::int64_t) const { return seen_->value; }

  /// Takes the next measurement. One that is not a number is not better than any other, nor is an infinite
  /// one better than none.
  void add(double measure) {
    history& h = *seen_;
    const reduce_on_plateau_options& o = h.options;
    const double sign = o.maximize ? 1 : -1;
    const double mark = o.absolute ? h.best + sign * o.threshold : h.best * (1 + sign * o.threshold);
    if (o.maximize ? measure > mark : measure < mark) {
      h.best = measure;
      h.bad = 0;
    } else {
      ++h.bad;
    }
    if (h.cooling > 0) {
      --h.cooling;
      h.bad = 0;
    }
    if (h.bad <= o.patience) return;
    const double next = std::max(h.value * o.factor, o.min);
    if (h.value - next > o.epsilon) h.value = next;
    h.cooling = o.cooldown;
    h.bad = 0;
  }

  /// As a callback of fit: after each epoch it takes the loss of the validation samples, or, where there are
  /// none, of the training samples.
  template <class Progress, class Report>
  void on_epoch_end(const Progress&, const Report& epoch) {
    add((epoch.validation.empty() ? epoch.train : epoch.validation)["loss"].mean);
  }

  /// What it has seen, for a fit's checkpoint.
  template <class State>
  void state(State& s) {
    s("value", seen_->value), s("best", seen_->best), s("bad", seen_->bad), s("cooling", seen_->cooling);
  }

 private:
  struct history {
    explicit history(const reduce_on_plateau_options& o)
        : options(o), value(o.start), best(o.maximize ? -infinite : infinite) {}
    static constexpr double infinite = above_all<double>;
    reduce_on_plateau_options options;
    double value;
    double best;
    std::int64_t bad = 0, cooling = 0;
  };
  std::shared_ptr<history> seen_;
};

/// Starts at `start`, and is multiplied by `factor` whenever more than `patience` measurements in a row were
/// not better than the best. Of {.start = 1, .factor = 0.5, .patience = 0} with the measurements 3, 3 and 2
/// after the first three steps the first three values are 1, 1, 0.5. As PyTorch's ReduceLROnPlateau. What it
/// has seen is part of a checkpoint of a fit that it is a callback of, and of no other. Throws an error where
/// an option is out of its range: start and min must be finite, factor from 0 to 1, patience, threshold,
/// cooldown and epsilon 0 or more.
template <class Schedule = plateau_schedule>
Schedule reduce_on_plateau(reduce_on_plateau_options o) {
  const detail::option_checker check{"reduce_on_plateau"};
  check("start", o.start, ranges::finite);
  check("factor", o.factor, ranges::share);
  check("patience", o.patience, ranges::not_negative);
  check("threshold", o.threshold, ranges::not_negative);
  check("cooldown", o.cooldown, ranges::not_negative);
  check("min", o.min, ranges::finite);
  check("epsilon", o.epsilon, ranges::not_negative);
  return Schedule(o);
}

}  // namespace tapeless
