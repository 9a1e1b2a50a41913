// SPDX-License-Identifier: BSL-1.0
// What the programs of a rank run on.
#pragma once

#include <tapeless/run/cpu/cpu.hpp>

namespace tapeless::detail {

template <class Policy>
struct find_policy_of_ranks {
  using type = Policy;
};
template <>
struct find_policy_of_ranks<cpu> {
  using type = cpu_by_tables;
};
/// Programs of ranks are watched in every step, and leave out commands that other ranks do: on the CPU they
/// go through tables.
template <class Policy>
using policy_of_ranks = typename find_policy_of_ranks<Policy>::type;

}  // namespace tapeless::detail
