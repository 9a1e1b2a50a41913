// SPDX-License-Identifier: BSL-1.0
// All objectives of a trainer with several losses, and their hyperparameters.
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/train/trainer/objective.hpp>

namespace tapeless::detail {

/// The objectives of a rule. It has the calls of hyperparameters, which mean those of one objective,
/// "generator.learning_rate", or those of all, "learning_rate".
template <class Rule, class... Objective>
class trained_objectives {
  static constexpr std::array<name, sizeof...(Objective)> labels{Objective::label...};
  static constexpr auto hyper_names = Rule::hyper_names();

 public:
  template <class Resources, class Parameters>
  trained_objectives(Rule rule, Resources& resources, const Parameters& parameters, std::uint64_t seed)
      : rule_(std::move(rule)),
        parts_(std::apply(
            [&](const auto&... o) {
              return std::tuple{sole_owner<Objective>(new Objective(o, resources, parameters, seed))...};
            },
            rule_.objectives())) {}

  /// The place of the objective of that name; where there is none, the compiler is stopped.
  template <name Label>
  static constexpr int index_of() {
    constexpr int index = [] {
      for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] == Label) return static_cast<int>(i);
      return -1;
    }();
    if constexpr (index < 0) {
      constexpr text message = unknown_name("objective", Label.view(), pointers_to(labels));
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
    return index;
  }
  template <int Index>
  auto& part() const {
    return *std::get<Index>(parts_);
  }
  template <class F>
  void for_each(F f) const {
    std::apply([&](const auto&... o) { (f(*o), ...); }, parts_);
  }

  /// Throws an error, and changes nothing, where they cannot be that number.
  template <name Name>
  void set(const hyperparameter& value) {
    for_each_meant<Name>([&]<name Own>(auto& o) { o.numbers.template check<Own>(value); });
    for_each_meant<Name>([&]<name Own>(auto& o) { o.numbers.template set<Own>(value); });
  }
  /// The number that they are in the step to come of their own objective, whichever step of all that is.
  /// Throws an error where they differ.
  template <name Name>
  double get(std::int64_t) const {
    double value = 0;
    bool any = false;
    for_each_meant<Name>([&]<name Own>(const auto& o) {
      const double one = o.numbers.template get<Own>(o.steps);
      if (any && one != value)
        throw_error({"get<\"", Name.view(), "\">: there is not one number of that name: an objective has ",
                     number_text(value).digits, ", \"", o.label.view(), "\" has ", number_text(one).digits});
      value = one;
      any = true;
    });
    return value;
  }

  // Those that were set, one objective after the other, see hyperparameters.
  auto changed() const {
    std::array<double, Rule::hyper_count> all{};
    std::size_t n = 0;
    for_each([&](const auto& o) {
      for (double x : o.numbers.changed()) all[n++] = x;
    });
    return all;
  }
  void check_changed(array_view<const double> numbers, std::string_view where) const {
    for_each_part_of(numbers, [&](const auto& o, const auto& own) { o.numbers.check_changed(own, where); });
  }
  void set_changed(array_view<const double> numbers) {
    for_each_part_of(numbers, [](auto& o, const auto& own) { o.numbers.set_changed(own); });
  }

  /// For a run that is no objective's: it reads the numbers of the first.
  void write_random_key(double key) { part<0>().numbers.write_random_key(key); }

  /// What the objectives' rules are made of, without their numbers.
  TAPELESS_COLD std::string rule_text(array_view<const described_parameter> parameters) const {
    rule_description d(parameters);
    describe_rule(rule_, d);
    return d.text();
  }

 private:
  Rule rule_;  // as it was given
  std::tuple<sole_owner<Objective>...> parts_;

  template <class F>
  void for_each_part_of(array_view<const double> numbers, F f) const {
    std::size_t n = 0;
    for_each([&](auto& o) {
      const std::size_t count = o.numbers.changed().size();
      f(o, numbers.subspan(n, count));
      n += count;
    });
  }

  // Calls f.operator()<Own>(objective) for those that have a hyperparameter which the name means; Own is its
  // name there. The compiler is stopped where none has one.
  template <name Name, class F>
  void for_each_meant(F f) const {
    constexpr auto& found = hyperparameter_in_objectives<Name, Objective...>;
    if constexpr (found.any()) {
      constexpr name own_name = found.rest;
      const auto call = [&]<int Index>(std::integral_constant<int, Index>) {
        if constexpr (found.is_meant[Index]) f.template operator()<own_name>(part<Index>());
      };
      [&]<int... Index>(std::integer_sequence<int, Index...>) {
        (call(std::integral_constant<int, Index>()), ...);
      }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Objective))>());
    } else {
      constexpr text message = unknown_name("hyperparameter", Name.view(), pointers_to(hyper_names));
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
  }

  template <std::size_t N>
  static constexpr auto pointers_to(const std::array<name, N>& names) {
    std::array<const name*, N> all{};
    for (std::size_t i = 0; i < N; ++i) all[i] = &names[i];
    return all;
  }
};

}  // namespace tapeless::detail
