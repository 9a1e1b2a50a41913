// SPDX-License-Identifier: BSL-1.0
// What is known of a rule's hyperparameters while compiling.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/optim/base/hyperparameter.hpp>
#include <tapeless/optim/base/hyperparameter_range.hpp>
#include <tapeless/optim/base/name_pattern.hpp>
#include <tapeless/train/program/output_names.hpp>

namespace tapeless {

/// The names of a rule's hyperparameters and the numbers that they may be, in the rule's own order.
template <class Rule>
struct hyperparameter_list {
  static constexpr auto names = Rule::hyper_names();
  static constexpr auto ranges = detail::ranges_of_rule<Rule>();

  /// Whether number i is meant by that name: all of the name are, in whatever group, or one by its full name.
  template <name Name>
  static constexpr bool is_meant(std::size_t i) {
    constexpr detail::wanted_name wanted(Name.view(), names.size(),
                                         [](std::size_t k) { return names[k].view(); });
    return wanted.means(names[i].view());
  }

  /// Whether there is one of that name.
  template <name Name>
  static constexpr bool has() {
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) any = any || is_meant<Name>(i);
    return any;
  }

  /// The same; the compiler is stopped where there is none.
  template <name Name>
  static constexpr bool is_known() {
    constexpr bool known = has<Name>();
    if constexpr (!known) {
      constexpr text message = detail::unknown_name("hyperparameter", Name.view(), labels());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
    return known;
  }

  /// Whether all of that name may be this in a step that is not known: a schedule may.
  template <name Name>
  static constexpr bool may_be(const hyperparameter& value) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (is_meant<Name>(i) && value.is_number() && !ranges[i].holds(value.at(0))) return false;
    return true;
  }
  /// Whether the numbers of all of them may be these.
  static constexpr bool may_all_be(array_view<const double> values) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!ranges[i].holds(values[i])) return false;
    return true;
  }
  /// The number that all of that name are among these; NaN where they are several.
  template <name Name>
  static constexpr double only(array_view<const double> values) {
    std::size_t first = 0;
    while (!is_meant<Name>(first)) ++first;
    for (std::size_t i = first + 1; i < values.size(); ++i)
      if (is_meant<Name>(i) && !(values[i] == values[first])) return std::numeric_limits<double>::quiet_NaN();
    return values[first];
  }

 private:
  static constexpr auto labels() {
    std::array<const name*, names.size()> labels{};
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = &names[i];
    return labels;
  }
};

}  // namespace tapeless
