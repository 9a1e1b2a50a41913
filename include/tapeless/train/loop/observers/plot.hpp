// SPDX-License-Identifier: BSL-1.0
// plot("curves.svg"): a picture of how a fit goes.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include <tapeless/clock.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/observers/curves_svg.hpp>
#include <tapeless/train/loop/observers/epochs_so_far.hpp>

namespace tapeless {

/// A callback of fit that draws the loss and the metrics over the epochs, see curves_svg, into a file, which
/// is replaced after each epoch. Where epochs take less time than that, it is replaced less often, and when
/// the fit ends. Several fits that are given the same object go on in it, and a fit that goes on from a
/// checkpoint has the curves of an uninterrupted one. Throws an error where the file cannot be written:
/// before the first step, if it is so then.
class plot {
 public:
  static constexpr bool only_shows = true;

  explicit plot(std::string path, plot_options o = {}) : path_(std::move(path)), options_(std::move(o)) {}

  /// Before the first step.
  template <std::same_as<fit_progress> Progress>
  TAPELESS_COLD void on_begin(const Progress& p) {
    detail::begin_epochs(epochs_, p);
    write(epochs_);
  }

  /// After an epoch and its validation.
  template <std::same_as<epoch_report> Report>
  TAPELESS_COLD void on_epoch_end(const fit_progress&, const Report& r) {
    epochs_.push_back(r);
    is_written_ = false;
    constexpr double share = 20;  // of the time that is spent here, at most
    if (detail::steady_seconds() - written_at_ >= share * cost_) write(epochs_);
  }

  /// After the last step.
  template <std::same_as<fit_progress> Progress>
  TAPELESS_COLD void on_end(const Progress&) {
    if (!is_written_) write(epochs_);
  }

 private:
  std::string path_;
  plot_options options_;
  std::vector<epoch_report> epochs_;
  bool is_written_ = false;
  double written_at_ = 0, cost_ = 0;  // in seconds

  // A template, as its callers are: programs without a plot compile nothing of it.
  template <class Epochs>
  TAPELESS_COLD void write(const Epochs& epochs) {
    const double begin = detail::steady_seconds();
    detail::write_text(path_, curves_svg(epochs, options_));
    written_at_ = detail::steady_seconds();
    cost_ = written_at_ - begin;
    is_written_ = true;
  }
};

}  // namespace tapeless
