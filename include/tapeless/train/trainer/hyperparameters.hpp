// SPDX-License-Identifier: BSL-1.0
// A trainer's rule, and the numbers that its programs read in each step.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/optim/base/rule_description.hpp>
#include <tapeless/train/program/number_entries.hpp>
#include <tapeless/train/program/result.hpp>

namespace tapeless {

/// A rule with its hyperparameters, and what else programs read as numbers: the step, the random key and the
/// weight of gradients.
template <class Rule>
class hyperparameters {
  using entries = number_entries<Rule>;
  static constexpr auto names = Rule::hyper_names();

 public:
  /// Throws an error where one is a number that it may not be.
  explicit hyperparameters(Rule rule) : rule_(std::move(rule)) { describe().check_numbers(ranges_); }

  const Rule& rule() const { return rule_; }

  /// From the next step on, all of that name have this value. Throws an error, and changes nothing, where one
  /// may not be that number; a callable's numbers are looked at in write_step.
  template <name Name>
  void set(const hyperparameter& value) {
    if constexpr (std::find(names.begin(), names.end(), Name) == names.end()) {
      constexpr text message = detail::unknown_name("hyperparameter", Name.view(), labels());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    } else {
      for (std::size_t i = 0; i < ranges_.size(); ++i)
        if (names[i] == Name && value.is_number() && !ranges_[i].holds(value.at(0)))
          describe().check_number(Name.view(), value);  // throws
      rule_.set(Name.view(), value);
    }
  }

  /// Writes the numbers of a step, counted from 0; -1 stands for the time before. Throws an error where a
  /// hyperparameter is a number then that it may not be.
  void write_step(std::int64_t step) {
    numbers_[entries::step] = static_cast<double>(step + 1);
    const auto values = of_rule();
    rule_.write(step < 0 ? 0 : step, values);
    bool all_hold = true;
    for (std::size_t i = 0; i < ranges_.size(); ++i) all_hold = all_hold && ranges_[i].holds(values[i]);
    if (!all_hold) describe().check_values(values, step);
  }
  void write_random_key(double key) { numbers_[entries::random_key] = key; }
  void write_gradient_weight(double weight) { numbers_[entries::gradient_weight] = weight; }

  /// All numbers, where programs find them.
  array_view<const double> numbers() const { return numbers_; }
  /// The rule's number i, as it was written last.
  double operator[](std::size_t i) const { return numbers_[entries::first_of_rule + i]; }

  /// What the rule is made of, such as chain(scale_by_adam, scale_by_learning_rate), without its numbers.
  [[gnu::cold]] std::string rule_text(array_view<const described_parameter> parameters) const {
    return describe(parameters).text();
  }

 private:
  Rule rule_;
  std::array<double, entries::count> numbers_{};
  std::array<hyperparameter_range, Rule::hyper_count> ranges_{};

  array_view<double> of_rule() { return array_view<double>(numbers_).subspan(entries::first_of_rule); }

  [[gnu::cold, gnu::noinline]] rule_description describe(
      array_view<const described_parameter> parameters = {}) const {
    rule_description d(parameters);
    describe_rule(rule_, d);
    return d;
  }

  static constexpr auto labels() {
    std::array<const name*, names.size()> labels{};
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = &names[i];
    return labels;
  }
};

}  // namespace tapeless
