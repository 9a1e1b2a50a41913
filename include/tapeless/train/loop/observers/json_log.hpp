// SPDX-License-Identifier: BSL-1.0
// json_log("log.jsonl"): a line of JSON for each epoch.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/append_file.hpp>
#include <tapeless/io/json_string.hpp>
#include <tapeless/io/number_text.hpp>
#include <tapeless/train/loop/observers/epochs_so_far.hpp>

namespace tapeless {

namespace detail {

/// JSON has no NaN and no infinities: they are null.
TAPELESS_COLD inline std::string json_number_text(double x) {
  return std::isfinite(x) ? io::number_text(x) : "null";
}

TAPELESS_COLD inline std::string json_of(const report& r) {
  std::string text;
  for (const auto& [name, m] : r)
    append(text, {text.empty() ? "" : ",", io::json_string(name), ":{\"mean\":", json_number_text(m.mean),
                  ",\"uncertainty\":", json_number_text(m.uncertainty), "}"});
  return join({"{", text, "}"});
}

TAPELESS_COLD inline std::string json_line(std::size_t place, const epoch_report& r) {
  return join({"{\"epoch\":", r.number_at(place), ",\"updates\":", r.updates,
               ",\"seconds\":", json_number_text(r.seconds), ",\"train\":", json_of(r.train),
               ",\"validation\":", json_of(r.validation), "}\n"});
}

}  // namespace detail

/// A callback of fit that writes an object of JSON for each epoch, one a line (JSON Lines):
///   {"epoch":1,"updates":94,"seconds":0.21,"train":{"loss":{"mean":0.71,"uncertainty":0.012}},"validation":{}}
/// Epochs are counted from 1, `updates` are the trainer's in all its fits, `seconds` those that the epoch
/// took; NaN and infinities are null. A line is there as soon as the epoch is over. The file begins anew with
/// the object; several fits that are given the same one go on in it. A fit that goes on from a checkpoint
/// leaves the lines of an uninterrupted one. Throws an error where the file cannot be written: before the
/// first step, if it is so then.
class json_log {
 public:
  static constexpr bool only_shows = true;

  explicit json_log(std::string path) : path_(std::move(path)) {}

  /// Before the first step.
  template <std::same_as<fit_progress> Progress = fit_progress>
  TAPELESS_COLD void on_begin(const Progress& p) {
    detail::begin_epochs(epochs_, p);
    std::string lines;
    for (std::size_t i = 0; i < epochs_.size(); ++i) lines += detail::json_line(i, epochs_[i]);
    detail::write_text(path_, lines);
  }

  /// After an epoch and its validation.
  template <std::same_as<epoch_report> Report>
  TAPELESS_COLD void on_epoch_end(const fit_progress&, const Report& r) {
    epochs_.push_back(r);
    io::append_to_file(path_, detail::json_line(epochs_.size() - 1, r));
  }

 private:
  std::string path_;
  std::vector<epoch_report> epochs_;
};

}  // namespace tapeless
