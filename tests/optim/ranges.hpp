// SPDX-License-Identifier: BSL-1.0
// What every rule must say of itself: that it is one, what it is made of, and which numbers its
// hyperparameters may be.
#pragma once

#include <tapeless/optim/optim.hpp>

#include <limits>
#include <string>

#include "catch.hpp"

namespace tl = tapeless;

namespace test {

template <class Rule>
std::string text_of(const Rule& rule) {
  tl::rule_description d;
  tl::describe_rule(rule, d);
  return d.text();
}

/// Checks that it is a rule, that no hyperparameter of the rule may be NaN, that those of these names have
/// ranges of their own, and that the rule as it is made by default is within them.
template <class Rule>
void check_ranges(const Rule& rule) {
  STATIC_REQUIRE(tl::is_rule<Rule>);
  INFO(text_of(rule));
  CHECK(text_of(rule).find("unnamed") == std::string::npos);
  tl::rule_description d;
  tl::describe_rule(rule, d);
  constexpr auto ranges = tl::detail::ranges_of_rule<Rule>();
  CHECK_NOTHROW(d.check_numbers(ranges));
  const auto names = Rule::hyper_names();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    INFO(names[i].view());
    const std::string_view full = names[i].view(), name = full.substr(full.rfind('.') + 1);
    CHECK(!ranges[i].holds(std::numeric_limits<double>::quiet_NaN()));
    const bool is_flag = name == "debias" || name == "nesterov" || name == "centered" || name == "amsgrad" ||
                         name == "match_adam";
    CHECK(ranges[i].holds(-1) == (is_flag || name == "factor"));
    if (name.starts_with("beta") && name != "beta2") CHECK(!ranges[i].holds(1));
    CHECK_THROWS_AS(d.check_number(ranges, full, std::numeric_limits<double>::quiet_NaN()), tl::error);
  }
}

}  // namespace test
