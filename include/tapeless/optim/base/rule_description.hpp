// SPDX-License-Identifier: BSL-1.0
// What a rule is made of, as a text, and its hyperparameters with their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/optim/base/hyperparameter.hpp>
#include <tapeless/optim/base/hyperparameter_range.hpp>
#include <tapeless/optim/base/name_pattern.hpp>

namespace tapeless {

/// A parameter, as what chooses parameters sees it.
struct described_parameter {
  std::string_view label;
  array_view<const std::int64_t> shape;
};

/// A hyperparameter: its value is null where only the rule itself knows it.
struct described_hyperparameter {
  std::string_view label;
  const hyperparameter* value = nullptr;
};

/// Is filled by describe_rule.
class rule_description {
 public:
  explicit rule_description(array_view<const described_parameter> parameters = {})
      : parameters_(parameters) {}

  /// Such as chain(scale_by_adam, scale_by_learning_rate): the rule's structure, without any number that may
  /// change between steps.
  const std::string& text() const { return text_; }

  TAPELESS_COLD void begin(std::string_view label) {
    add_part(label);
    append(text_, {"("});
  }
  TAPELESS_COLD void end() { append(text_, {")"}); }
  TAPELESS_COLD void add_part(std::string_view label) {
    append(text_, {text_.empty() || text_.back() == '(' ? "" : ", ", label});
  }
  TAPELESS_COLD void add_unnamed(array_view<const name> hyperparameters) {
    begin("unnamed");
    for (const name& n : hyperparameters) add_part(n.view());
    end();
  }
  TAPELESS_COLD void add_number(std::int64_t number) { append(text_, {"<", number, ">"}); }

  /// Which parameters the last part is for, by a hash of their names.
  TAPELESS_COLD void add_choice(bool (*chooses)(const described_parameter&)) {
    if (parameters_.empty()) return;
    std::uint64_t hash = 0;
    int count = 0;
    for (const described_parameter& p : parameters_) {
      if (!chooses(p)) continue;
      hash = (hash ^ hash_of(p.label)) * 0x9e3779b97f4a7c15u;
      ++count;
    }
    append(text_, {" for ", count, " of ", parameters_.size(), " parameters (",
                   static_cast<std::uint32_t>(hash >> 32), ")"});
  }

  /// Hyperparameters of these names, where their values are.
  TAPELESS_COLD void add_hyperparameters(array_view<const name> names, const hyperparameter* values) {
    for (std::size_t i = 0; i < names.size(); ++i)
      hypers_.push({names[i].view(), values != nullptr ? values + i : nullptr});
  }

  /// Throws an error where a hyperparameter that is a number is none that it may be, by the ranges of all, in
  /// the order of the rule's own list.
  TAPELESS_COLD void check_numbers(array_view<const hyperparameter_range> ranges) const {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const described_hyperparameter& h = hypers_[i];
      if (h.value != nullptr && h.value->is_number()) check(h, ranges[i], h.value->at(0), "");
    }
  }
  /// Number i, in the same order; null where the rule has none of its own.
  const hyperparameter* value(std::size_t i) const { return hypers_[i].value; }
  /// Whether all are numbers, the same in every step.
  TAPELESS_COLD bool has_numbers_alone() const {
    for (const described_hyperparameter& h : hypers_)
      if (h.value == nullptr || !h.value->is_number()) return false;
    return true;
  }
  /// As check_numbers, of a number that all hyperparameters of that name shall be.
  TAPELESS_COLD void check_number(array_view<const hyperparameter_range> ranges, std::string_view label,
                                  const hyperparameter& value) const {
    const detail::wanted_name wanted(label, ranges.size(), [&](std::size_t i) { return hypers_[i].label; });
    for (std::size_t i = 0; i < ranges.size(); ++i)
      if (wanted.means(hypers_[i].label) && value.is_number()) check(hypers_[i], ranges[i], value.at(0), "");
  }
  /// The same of all values in a step, counted from 0.
  TAPELESS_COLD void check_values(array_view<const hyperparameter_range> ranges,
                                  array_view<const double> values, std::int64_t step) const {
    for (std::size_t i = 0; i < ranges.size(); ++i)
      check(hypers_[i], ranges[i], values[i], join({" in step ", step, " (counted from 0)"}));
  }

 private:
  array_view<const described_parameter> parameters_;
  std::string text_;
  list<described_hyperparameter> hypers_;

  template <class = compiled_once>
  static void check(const described_hyperparameter& h, const hyperparameter_range& range, double x,
                    std::string_view when);
};

template <class>
TAPELESS_SELDOM void rule_description::check(const described_hyperparameter& h,
                                             const hyperparameter_range& range, double x,
                                             std::string_view when) {
  if (!range.holds(x))
    throw_error({"the hyperparameter \"", h.label, "\" is ", detail::number_text(x).digits, when,
                 "; it must be ", detail::range_text(range)});
}

namespace detail {

template <class Transform>
constexpr std::string_view label_of() {
  if constexpr (requires { Transform::label; }) {
    return Transform::label;
  } else {
    return {};
  }
}

template <class Transform>
TAPELESS_COLD void describe_label(rule_description& d) {
  if constexpr (requires { Transform::describe_parts(d); }) {
    d.begin(Transform::label);
    Transform::describe_parts(d);
    d.end();
  } else if constexpr (requires { Transform::label; }) {
    d.add_part(Transform::label);
  } else {
    d.add_unnamed(Transform::hyper_names);
  }
  if constexpr (requires { Transform::label_number; }) d.add_number(Transform::label_number);
  if constexpr (requires { &Transform::is_for; }) d.add_choice(&Transform::is_for);
}

}  // namespace detail

/// Describes a gradient transformation, whose hyperparameters have these names in the rule. One may have,
/// besides what it must,
///   label          what it is called; without, its hyperparameters' names stand for it
template <class Transform>
TAPELESS_COLD void describe_transform(const Transform& t, array_view<const name> names, rule_description& d) {
  detail::describe_label<Transform>(d);
  d.add_hyperparameters(names, t.hypers.data());
}

/// Describes a whole rule; an optimizer transformation is put around what it wraps.
template <class Rule>
TAPELESS_COLD void describe_rule(const Rule& rule, rule_description& d) {
  if constexpr (requires { rule.describe(d); }) {
    if constexpr (requires { Rule::label; }) d.begin(Rule::label);
    rule.describe(d);
    if constexpr (requires { Rule::label; }) d.end();
  } else {
    static constexpr auto names = Rule::hyper_names();
    d.add_unnamed(names);
    d.add_hyperparameters(names, nullptr);
  }
}

}  // namespace tapeless
