// SPDX-License-Identifier: BSL-1.0
// early_stopping({...}): ends a fit that gets no better.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/observers/watched_measurement.hpp>
#include <tapeless/train/trainer/kept_weights.hpp>

namespace tapeless {

struct early_stopping_options {
  std::string watch = "loss";               ///< the measurement's name, in validation where there is one
  std::int64_t patience = 10;               ///< so many epochs in a row that are not better end the fit
  double min_delta = 0;                     ///< what is better by no more than this does not count
  bool restore_best = false;                ///< at the end the weights are those of the best epoch
  direction improves = direction::unknown;  ///< where the metric does not say
};

/// A callback of fit that ends it when a measurement has not got better for some epochs. With restore_best
/// the weights of the best epoch are put back at the fit's end, however it ends, unless something throws; the
/// rule's states stay those of the last step. A checkpoint of the fit has its state, the best weights too.
/// Prechelt, Early stopping - but when?, 1998.
class early_stopping {
 public:
  static constexpr std::string_view label = "early_stopping";

  explicit early_stopping(early_stopping_options o = {})
      : options_(std::move(o)),
        watched_("early_stopping", options_.watch, options_.improves, options_.min_delta) {
    if (options_.patience < 1)
      throw_error({"early_stopping: patience is ", options_.patience, "; it must be 1 or more"});
  }
  /// Refuses a number: it does not say which of the options it is.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  explicit early_stopping(Number) : early_stopping() {
    static_assert(std::is_void_v<Number>,
                  "tapeless: options stand in braces, by their names: tl::early_stopping({.patience = 5})");
  }

  /// In a loop of one's own: the next measurement, which gets better by going down unless `improves` says
  /// otherwise. Whether to go on.
  bool add(double value) {
    watched_.go_by_numbers();
    count(watched_.add(value));
    return !is_over();
  }

  /// Whether the last measurement was better than all before.
  bool is_best() const { return waited_ == 0 && watched_.has_best(); }
  /// The best one, and the number of the epoch, or call of add, that brought it, counted from 0.
  /// Precondition: there was one.
  double best() const { return watched_.best(); }
  std::int64_t best_epoch() const { return seen_ - 1 - waited_; }
  /// Whether patience has come to its end.
  bool is_over() const { return waited_ >= options_.patience; }

  // What fit tells.
  bool on_begin(const fit_progress& p) {
    if (!p.resumed) begin_anew();
    return !is_over();
  }
  void on_step(const fit_progress& p) { watched_.check(p); }
  template <class Net>
  bool on_epoch_end(Net& net, const fit_progress&, const epoch_report& r) {
    const bool is_better = watched_.add(r);
    count(is_better);
    if (is_better && options_.restore_best) best_weights_.keep(net);
    return !is_over();
  }
  template <class Net>
  void on_end(Net& net, const fit_progress&) {
    if (!best_weights_.empty()) best_weights_.put_back(net);
  }
  template <class State>
  void state(State& s) {
    watched_.state(s);
    s("waited", waited_), s("seen", seen_);
    best_weights_.state(s);
  }

 private:
  early_stopping_options options_;
  detail::watched_measurement watched_;
  std::int64_t waited_ = 0, seen_ = 0;
  kept_weights best_weights_;

  void begin_anew() {
    watched_.clear();
    waited_ = seen_ = 0;
    best_weights_.clear();
  }
  void count(bool is_better) {
    ++seen_;
    waited_ = is_better ? 0 : waited_ + 1;
  }
};

}  // namespace tapeless
