// SPDX-License-Identifier: BSL-1.0
// Which of a trainer's programs a fit runs.
#pragma once

#include <type_traits>

#include <tapeless/train/trainer/one_of_several.hpp>

namespace tapeless::detail {

/// The program that batches go through.
template <class Net, bool InParts>
struct program_of {
  using type = typename Net::step_program;
};
template <class Net>
struct program_of<Net, true> {
  using type = typename Net::accumulate_program;
};

/// Whether batches can be computed in parts, one update for each batch; the compiler is stopped where not.
template <class Net>
constexpr bool can_fit_in_parts() {
  constexpr bool can_add = requires { typename Net::accumulate_program; };
  static_assert(
      can_add,
      "tapeless: fit cannot compute batches in parts (physical_batch) for a rule whose trainer computes "
      "gradients several times in a step, such as lbfgs: leave physical_batch out");
  if constexpr (can_add) {
    constexpr bool collects = !is_one_of_several<Net> &&
                              std::is_same_v<typename Net::step_program, typename Net::accumulate_program>;
    static_assert(
        !collects,
        "tapeless: fit computes a batch in parts (physical_batch) and updates after each batch, but "
        "accumulate(n, rule) updates after n steps: leave one of the two out");
    return !collects;
  }
  return false;
}

}  // namespace tapeless::detail
