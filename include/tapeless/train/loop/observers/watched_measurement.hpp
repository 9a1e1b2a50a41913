// SPDX-License-Identifier: BSL-1.0
// A measurement that is watched from epoch to epoch: which was the best.
#pragma once

#include <string>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/fit_progress.hpp>

namespace tapeless::detail {

/// The best measurement of a name so far, in validation where there is one, otherwise in training.
class watched_measurement {
 public:
  /// `who` watches it, as errors say. What is better by no more than min_delta does not count as better.
  watched_measurement(const char* who, std::string name, direction improves, double min_delta)
      : who_(who), name_(std::move(name)), asked_(improves), min_delta_(min_delta) {
    if (!(min_delta >= 0)) throw_error({who, ": min_delta is ", min_delta, "; it must be 0 or more"});
  }

  void clear() {
    has_best_ = false;
    best_ = 0;
  }

  /// Finds out early, in the first step, what otherwise would be said at the first epoch's end: that nothing
  /// of the name is measured, or that nobody has said which way it gets better.
  void check(const fit_progress& p) {
    if (!is_checked_ && p.train != nullptr) check_report(*p.train);
  }

  /// Whether this epoch was better than all before. What is not a number is better than none.
  TAPELESS_WARM bool add(const epoch_report& e) {
    const report& r = e.validation.empty() ? e.train : e.validation;
    check_report(r);
    return add(r[name_].mean);
  }
  bool add(double value) {
    const double sign = improves_ == direction::up ? 1 : -1;
    const bool is_better = has_best_ ? sign * (value - best_) > min_delta_ : value == value;
    if (!is_better) return false;
    has_best_ = true;
    best_ = value;
    return true;
  }

  bool has_best() const { return has_best_; }
  double best() const { return best_; }

  /// For who adds numbers without reports: they get better by going down, where nothing else was said.
  void go_by_numbers() { improves_ = asked_ == direction::unknown ? direction::down : asked_; }

  template <class State>
  void state(State& s) {
    s("has_best", has_best_), s("best", best_);
  }

 private:
  const char* who_;
  std::string name_;
  direction asked_, improves_ = direction::unknown;
  double min_delta_;
  bool is_checked_ = false, has_best_ = false;
  double best_ = 0;

  TAPELESS_COLD void check_report(const report& r) {
    const direction told = r.improves(name_);
    improves_ = asked_ == direction::unknown ? told : asked_;
    if (improves_ == direction::unknown)
      throw_error(
          {who_, ": whether \"", name_,
           "\" gets better by going up or down is not known: say so, .improves = tl::direction::up, or "
           "let the metric, static constexpr tl::direction improves = tl::direction::up"});
    is_checked_ = true;
  }
};

}  // namespace tapeless::detail
