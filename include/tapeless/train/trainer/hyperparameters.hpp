// SPDX-License-Identifier: BSL-1.0
// A trainer's rule, and the numbers that its programs read in each step.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/optim/base/hyperparameter.hpp>
#include <tapeless/optim/base/rule_description.hpp>
#include <tapeless/train/program/hyperparameter_list.hpp>
#include <tapeless/train/program/number_entries.hpp>
#include <tapeless/train/program/result.hpp>

namespace tapeless {

namespace detail {

/// A schedule of a rule's that a number stands in for: the rule has the number instead.
struct set_aside_schedule {
  std::size_t place = 0;
  hyperparameter schedule = 0;
};

}  // namespace detail

/// A rule with its hyperparameters, and what else programs read as numbers: the step, the random key and the
/// weight of gradients.
template <class Rule>
class hyperparameters {
  using entries = number_entries<Rule>;
  using listed = hyperparameter_list<Rule>;
  static constexpr const auto& names = listed::names;
  static constexpr const auto& ranges = listed::ranges;

 public:
  /// Throws an error where one is a number that it may not be.
  TAPELESS_SELDOM explicit hyperparameters(Rule rule) : rule_(std::move(rule)) {
    describe().check_numbers(ranges);
    changed_.fill(unchanged);
    set_schedules_aside(description_to_change());
  }

  const Rule& rule() const { return rule_; }

  /// From the next step on, all of that name have this value: of a partition those of all groups, or of one,
  /// "decoder.learning_rate". Throws an error, and changes nothing, where one may not be that number; a
  /// callable's numbers are looked at in write_step.
  template <name Name>
  void set(const hyperparameter& value) {
    if constexpr (listed::template is_known<Name>()) {
      check<Name>(value);
      const bool is_number = value.is_number();
      bool meets_schedule = !is_number;
      for (std::size_t i = 0; i < names.size(); ++i)
        meets_schedule = meets_schedule || (scheduled_[i] && listed::template is_meant<Name>(i));
      const auto change = [&] {
        for (std::size_t i = 0; i < names.size(); ++i)
          if (listed::template is_meant<Name>(i)) changed_[i] = is_number ? value.at(0) : unchanged;
        are_written_ = false;
      };
      if (!meets_schedule) return change();
      const rule_description d = description_to_change();
      if (!is_number) {
        put_schedules_back(d);
        rule_.set(Name.view(), value);
      }
      change();
      set_schedules_aside(d);
    }
  }

  /// Throws the error that set would throw.
  template <name Name>
  void check(const hyperparameter& value) const {
    if (!listed::template may_be<Name>(value)) describe().check_number(ranges, Name.view(), value);  // throws
  }
  /// Whether there is one of that name.
  template <name Name>
  static constexpr bool has() {
    return listed::template has<Name>();
  }

  /// The number that all of that name are in a step, counted from 0. Throws an error where they are several,
  /// or where a schedule gives what they may not be.
  template <name Name>
  double get(std::int64_t step) const {
    if constexpr (listed::template is_known<Name>()) {
      const auto values = at(step);
      const double number = listed::template only<Name>(values);
      if (!detail::is_set(number)) {
        describe().check_values(ranges, values, step);
        refuse_several<Name>(values);
      }
      return number;
    } else {
      return 0;
    }
  }

  /// All numbers of a step, counted from 0, in the rule's own order; nobody looks whether they may be that.
  std::array<double, Rule::hyper_count> at(std::int64_t step) const {
    std::array<double, Rule::hyper_count> values{};
    write_values(step, values);
    return values;
  }

  /// The numbers that were set since the rule was made, in the rule's own order; NaN where there is none, or
  /// a schedule.
  array_view<const double> changed() const { return changed_; }
  /// Sets them again; where there is none, it is the rule's own number or schedule. Precondition:
  /// check_changed has passed them.
  TAPELESS_COLD void set_changed(array_view<const double> numbers) {
    const rule_description d = description_to_change();  // throws, or nothing does
    put_schedules_back(d);
    std::copy(numbers.begin(), numbers.end(), changed_.begin());
    set_schedules_aside(d);
    are_written_ = false;
  }
  /// Throws an error, which begins with `where`, where a hyperparameter may not be its number.
  TAPELESS_COLD void check_changed(array_view<const double> numbers, std::string_view where) const {
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (detail::is_set(numbers[i]) && !ranges[i].holds(numbers[i]))
        throw_error({where, ": the hyperparameter \"", names[i].view(), "\" is ",
                     detail::number_text(numbers[i]).digits, "; it must be ", detail::range_text(ranges[i])});
  }

  /// Writes the numbers of a step, counted from 0; -1 stands for the time before. Throws an error where a
  /// hyperparameter is a number then that it may not be.
  void write_step(std::int64_t step) {
    numbers_[entries::step] = static_cast<double>(step + 1);
    if (are_written_) return;
    const auto values = of_rule();
    write_values(step < 0 ? 0 : step, values);
    bool all_hold = true;
    for (std::size_t i = 0; i < ranges.size(); ++i) all_hold = all_hold && ranges[i].holds(values[i]);
    if (!all_hold) describe().check_values(ranges, values, step);
    are_written_ = are_numbers_;
  }
  void write_random_key(double key) { numbers_[entries::random_key] = key; }
  void write_gradient_weight(double weight) { numbers_[entries::gradient_weight] = weight; }

  /// All numbers, where programs find them.
  array_view<const double> numbers() const { return numbers_; }
  /// The rule's number i, as it was written last.
  double operator[](std::size_t i) const { return numbers_[entries::first_of_rule + i]; }

  /// What the rule is made of, such as chain(scale_by_adam, scale_by_learning_rate), without its numbers.
  TAPELESS_COLD std::string rule_text(array_view<const described_parameter> parameters) const {
    return describe(parameters).text();
  }

 private:
  Rule rule_;
  std::array<double, entries::count> numbers_{};
  // They stand in for the rule's own numbers, which come back where none is set.
  static constexpr double unchanged = std::numeric_limits<double>::quiet_NaN();
  std::array<double, Rule::hyper_count> changed_;
  std::array<bool, Rule::hyper_count> scheduled_{};  // which ones the rule has a schedule for
  list<detail::set_aside_schedule> set_aside_;
  bool are_numbers_ = false;  // the rule's own, in all steps
  bool are_written_ = false;  // as they are in all steps

  // Of the rule where it is; there is room for all of its schedules.
  TAPELESS_COLD rule_description description_to_change() {
    set_aside_.reserve(static_cast<int>(names.size()));
    return describe();
  }
  TAPELESS_COLD void put_schedules_back(const rule_description& d) {
    for (detail::set_aside_schedule& s : set_aside_) own(d, s.place) = std::move(s.schedule);
    set_aside_.clear();
  }
  // Number i of the rule itself: one name may mean several.
  static hyperparameter& own(const rule_description& d, std::size_t i) {
    return const_cast<hyperparameter&>(*d.value(i));  // rule_ is no constant
  }
  // Post-condition: scheduled_ and are_numbers_ describe the rule.
  TAPELESS_COLD void set_schedules_aside(const rule_description& d) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool has_schedule = d.value(i) != nullptr && !d.value(i)->is_number();
      scheduled_[i] = has_schedule && !detail::is_set(changed_[i]);
      if (!has_schedule || scheduled_[i]) continue;
      set_aside_.add() = {i, std::move(own(d, i))};
      own(d, i) = hyperparameter(changed_[i]);
    }
    are_numbers_ = d.has_numbers_alone();
  }

  void write_values(std::int64_t step, array_view<double> values) const {
    rule_.write(step, values);
    for (std::size_t i = 0; i < changed_.size(); ++i)
      if (detail::is_set(changed_[i])) values[i] = changed_[i];
  }

  template <name Name>
  [[noreturn, gnu::noinline]] TAPELESS_COLD static void refuse_several(array_view<const double> values) {
    std::string all;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (listed::template is_meant<Name>(i))
        append(all, {all.empty() ? "\"" : ", \"", names[i].view(), "\" is ",
                     detail::number_text(values[i]).digits});
    throw_error({"get<\"", Name.view(), "\">: there is not one number of that name: ", all});
  }

  array_view<double> of_rule() { return array_view<double>(numbers_).subspan(entries::first_of_rule); }

  [[gnu::noinline]] TAPELESS_COLD rule_description
  describe(array_view<const described_parameter> parameters = {}) const {
    rule_description d(parameters);
    describe_rule(rule_, d);
    return d;
  }
};

}  // namespace tapeless
