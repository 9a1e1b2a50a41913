// SPDX-License-Identifier: BSL-1.0
// save_best(path, {...}): the weights of a fit's best epoch as a file.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tapeless/io/temporary_file.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/loop/observers/watched_measurement.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>

namespace tapeless {

struct save_best_options {
  std::string watch = "loss";               ///< the measurement's name, in validation where there is one
  double min_delta = 0;                     ///< what is better by no more than this is not saved
  direction improves = direction::unknown;  ///< where the metric does not say
};

/// A callback of fit that saves the parameters, as save does, after each epoch that is better than all
/// before: all, or those that save_options choose, save_best("head.safetensors", {}, {.only = {"head.*"}}).
/// The fit throws an error before its first step where a pattern fits no parameter, or the file cannot be
/// written.
class save_best {
 public:
  static constexpr std::string_view label = "save_best";

  explicit save_best(std::string path, save_best_options o = {}, save_options saved = {})
      : path_(std::move(path)),
        saved_(std::move(saved)),
        watched_("save_best", std::move(o.watch), o.improves, o.min_delta) {}

  template <class Net>
  void on_begin(Net& net, const fit_progress& p) {
    detail::check_patterns(saved_, net.parameter_descriptions(), path_);
    if (detail::writes_files(net) && p.epoch < p.epochs) io::platform::require_replaceable(path_);
    if (!p.resumed) watched_.clear();
  }
  void on_step(const fit_progress& p) { watched_.check(p); }
  template <class Net>
  void on_epoch_end(Net& net, const fit_progress&, const epoch_report& r) {
    if (watched_.add(r)) save(net, path_, saved_);
  }
  template <class State>
  void state(State& s) {
    watched_.state(s);
  }

 private:
  std::string path_;
  save_options saved_;
  detail::watched_measurement watched_;
};

}  // namespace tapeless
