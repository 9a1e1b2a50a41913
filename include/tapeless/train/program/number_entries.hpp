// SPDX-License-Identifier: BSL-1.0
// Which of the numbers that a training program reads is which, and which of them it reads.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/plan/plan.hpp>

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

/// Whether a program has the random key of its run, and whether it has other numbers of a run.
struct numbers_read {
  bool random_key = false;
  bool others = false;
};
template <class GraphBuilder>
inline constexpr numbers_read numbers_read_by = [] {
  numbers_read all;
  for (const placement& p : plan_of<GraphBuilder>.place)
    if (p.kind == storage::hyperparameter) (p.index == random_key_entry ? all.random_key : all.others) = true;
  return all;
}();

}  // namespace tapeless
