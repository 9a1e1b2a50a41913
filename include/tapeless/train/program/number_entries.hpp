// SPDX-License-Identifier: BSL-1.0
// Which of the numbers that a training program reads is which.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>

namespace tapeless {

/// The entries of the run-time numbers of all programs that train by a rule.
template <class Rule>
struct number_entries {
  static constexpr int step = step_entry;
  static constexpr int random_key = random_key_entry;
  static constexpr int first_of_rule = first_rule_entry;  // its hyperparameters, in its own order
  static constexpr int gradient_weight = first_of_rule + Rule::hyper_count;  // of gradients that are added up
  static constexpr int count = gradient_weight + 1;
};

}  // namespace tapeless
