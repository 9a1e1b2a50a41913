// SPDX-License-Identifier: BSL-1.0
// csv_log("log.csv"): a line for each epoch, for spreadsheets and data frames.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/append_file.hpp>
#include <tapeless/io/number_text.hpp>
#include <tapeless/train/loop/measurement_names.hpp>
#include <tapeless/train/loop/observers/epochs_so_far.hpp>

namespace tapeless {

namespace detail {

/// A name in a CSV file (RFC 4180): in quotes where it needs them.
TAPELESS_COLD inline std::string csv_text(std::string_view name) {
  if (name.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(name);
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

/// The columns of a log: two for each measurement, its mean and its uncertainty. A template, so that programs
/// without a log compile nothing of it.
template <class Epoch>
class csv_columns {
 public:
  /// Whether there is a column that was not there before.
  TAPELESS_COLD bool add(const Epoch& r) {
    const bool to_train = add_names(train_, r.train), to_validation = add_names(validation_, r.validation);
    return to_train || to_validation;
  }

  TAPELESS_COLD std::string header() const {
    std::string line = "epoch,updates,seconds";
    for (const auto& [part, names] : {std::pair("train_", &train_), std::pair("validation_", &validation_)})
      for (const std::string& name : *names)
        append(line, {",", csv_text(join({part, name})), ",", csv_text(join({part, name, "_uncertainty"}))});
    return line + "\n";
  }

  TAPELESS_COLD std::string line(std::size_t place, const Epoch& r) const {
    std::string line = join({r.number_at(place), ",", r.updates, ",", io::number_text(r.seconds)});
    add_cells(line, r.train, train_);
    add_cells(line, r.validation, validation_);
    return line + "\n";
  }

 private:
  std::vector<std::string> train_, validation_;

  static void add_cells(std::string& line, const report& r, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const measurement* m = find_measurement(r, name);
      if (m == nullptr) {
        line += ",,";
      } else {
        append(line, {",", io::number_text(m->mean), ",", io::number_text(m->uncertainty)});
      }
    }
  }
};

}  // namespace detail

/// A callback of fit that writes a line for each epoch. Its columns are epoch (counted from 1), updates (the
/// trainer's in all its fits), seconds (that the epoch took), and for each measurement its mean and its
/// uncertainty: train_loss, train_loss_uncertainty, .., validation_accuracy_uncertainty. What was not
/// measured in an epoch is empty; NaN is "nan". A line is there as soon as the epoch is over. The file begins
/// anew with the object; several fits that are given the same one go on in it. A fit that goes on from a
/// checkpoint leaves the lines of an uninterrupted one. Throws an error where the file cannot be written:
/// before the first step, if it is so then.
class csv_log {
 public:
  static constexpr bool only_shows = true;

  explicit csv_log(std::string path) : path_(std::move(path)) {}

  /// Before the first step.
  template <std::same_as<fit_progress> Progress = fit_progress>
  TAPELESS_COLD void on_begin(const Progress& p) {
    detail::begin_epochs(epochs_, p);
    for (const epoch_report& r : epochs_) columns_.add(r);
    write_all(epochs_);
  }

  /// After an epoch and its validation.
  template <std::same_as<epoch_report> Report>
  TAPELESS_COLD void on_epoch_end(const fit_progress&, const Report& r) {
    epochs_.push_back(r);
    if (columns_.add(r)) {
      write_all(epochs_);
    } else {
      io::append_to_file(path_, columns_.line(epochs_.size() - 1, r));
    }
  }

 private:
  std::string path_;
  detail::csv_columns<epoch_report> columns_;
  std::vector<epoch_report> epochs_;

  template <class Epochs>
  TAPELESS_COLD void write_all(const Epochs& epochs) const {
    std::string text = columns_.header();
    for (std::size_t i = 0; i < epochs.size(); ++i) text += columns_.line(i, epochs[i]);
    detail::write_text(path_, text);
  }
};

}  // namespace tapeless
