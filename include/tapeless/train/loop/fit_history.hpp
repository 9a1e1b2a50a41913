// SPDX-License-Identifier: BSL-1.0
// fit_history: what the epochs of a fit brought.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/fit_state.hpp>
#include <tapeless/train/loop/measurement.hpp>

namespace tapeless {

/// A report for each epoch of a fit that is over, in order: history.back().validation["accuracy"].mean. An
/// epoch that was stopped in its middle is not among them.
class fit_history {
 public:
  std::size_t size() const { return epochs_.size(); }
  bool empty() const { return epochs_.empty(); }
  auto begin() const { return epochs_.begin(); }
  auto end() const { return epochs_.end(); }

  /// Epoch number i, counted from 0; of the first and the last one. Throws an error where there is none.
  const epoch_report& operator[](std::size_t i) const& {
    if (i >= size()) [[unlikely]]
      refuse(i);
    return epochs_[i];
  }
  const epoch_report& front() const& { return (*this)[0]; }
  const epoch_report& back() const& { return (*this)[empty() ? 0 : size() - 1]; }
  // Of a history that is in no variable, as in fit(...).back(): the caller's own.
  epoch_report operator[](std::size_t i) && { return (*this)[i]; }
  epoch_report front() && { return (*this).front(); }
  epoch_report back() && { return (*this).back(); }

  /// Whether the fit was ended by Ctrl-C or SIGTERM, see checkpoint and stop_on_interrupt.
  bool interrupted() const { return interrupted_; }

  const std::vector<epoch_report>& epochs() const& { return epochs_; }
  std::vector<epoch_report> epochs() && { return std::move(epochs_); }
  operator const std::vector<epoch_report>&() const& { return epochs_; }
  operator std::vector<epoch_report>() && { return std::move(epochs_); }

  void push_back(epoch_report r) { epochs_.push_back(std::move(r)); }
  void set_interrupted(bool was) { interrupted_ = was; }
  /// The epochs so far have that number and those behind it.
  void number_from(std::int64_t first) {
    for (epoch_report& e : epochs_) e.number = first++;
  }

  /// Writes all of it into a checkpoint, or reads it from there.
  template <class State>
  TAPELESS_COLD void state(State& s) {
    std::vector<double> numbers;
    std::string names;
    if (!s.gives())
      for (const epoch_report& e : epochs_) write(e, numbers, names);
    s("numbers", numbers);
    s("names", names);
    if (s.gives()) read(numbers, names);
  }

 private:
  std::vector<epoch_report> epochs_;
  bool interrupted_ = false;

  [[noreturn]] TAPELESS_COLD void refuse(std::size_t i) const {
    throw_error({"the history has ", size(), " epochs, but the report of number ", i,
                 ", counted from 0, is asked for"});
  }

  // Of each epoch: updates, seconds, how many measurements were made in training and validation, and each of
  // them as mean, uncertainty and direction. The names have the same order, each with a zero byte behind it.
  template <class = compiled_once>
  static void write(const epoch_report& e, std::vector<double>& numbers, std::string& names) {
    numbers.push_back(static_cast<double>(e.updates));
    numbers.push_back(e.seconds);
    const report* const reports[] = {&e.train, &e.validation};
    for (const report* r : reports) numbers.push_back(static_cast<double>(r->end() - r->begin()));
    for (const report* r : reports)
      for (const auto& [name, m] : *r) {
        numbers.push_back(m.mean);
        numbers.push_back(m.uncertainty);
        numbers.push_back(static_cast<double>(r->improves(name)));
        names.append(name).push_back('\0');
      }
  }

  template <class = compiled_once>
  void read(const std::vector<double>& numbers, std::string_view names) {
    std::size_t next = 0;
    const auto number = [&] {
      return next < numbers.size() ? numbers[next++] : (next = numbers.size() + 1, 0.0);
    };
    epochs_.clear();
    while (next < numbers.size()) {
      epoch_report e;
      e.updates = static_cast<std::int64_t>(number());
      e.seconds = number();
      const double counts[] = {number(), number()};
      report* const reports[] = {&e.train, &e.validation};
      for (int k = 0; k < 2; ++k)
        for (double i = 0; i < counts[k] && next < numbers.size(); ++i) {
          const std::string_view name = names.substr(0, names.find('\0'));
          names.remove_prefix(name.size() + (name.size() < names.size() ? 1 : 0));
          const measurement m{number(), number()};
          const double improves = number();
          reports[k]->set(name, m,
                          improves == 1   ? direction::down
                          : improves == 2 ? direction::up
                                          : direction::unknown);
        }
      epochs_.push_back(std::move(e));
    }
    if (next != numbers.size() || !names.empty())
      throw_error("the checkpoint's history ends in the middle of an epoch");
  }
};

}  // namespace tapeless
