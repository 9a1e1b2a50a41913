// SPDX-License-Identifier: BSL-1.0
// Which passes that follow one another are one launch: those that work on the same rows, and those that do
// the same to different memory. Ordinary constexpr code over a plan's tables.
#pragma once

#include <array>

#include <tapeless/run/thrust/batch_groups.hpp>
#include <tapeless/run/thrust/epilogues.hpp>
#include <tapeless/run/thrust/row_groups.hpp>

namespace tapeless::thrust_kernels {

/// alone: one pass. rows: passes that one team runs one after the other for each row, so that a softmax reads
/// its row once. batch: the same operations on different memory, such as the updates of all parameters.
enum class grouping : std::uint8_t { alone, rows, batch };

/// The passes of one launch: `count` steps from the pass on by which it is found, or 0 where that is in the
/// group of another one.
struct launch_group {
  grouping kind = grouping::alone;
  int count = 0;
  std::int64_t rows = 0;  // how many rows there are, of those
};

namespace detail {

// The steps from `begin` to `end` are passes.
constexpr launch_group group_from(const launch_tables& t, int begin, int end) {
  int batch = begin + 1;
  while (batch < end && batch - begin < most_in_batch && joins_batch(t, begin, batch)) ++batch;
  const row_group rows = row_groups(t).from(begin, end);
  if (rows.count > 1 && begin + rows.count >= batch) return {grouping::rows, rows.count, rows.rows};
  return {batch - begin > 1 ? grouping::batch : grouping::alone, batch - begin};
}

/// Sets groups[pass] for the first pass of each group.
constexpr void find_groups(const launch_tables& t, launch_group* groups) {
  for (int s = 0; s < t.step_count;) {
    const bool is_taken_along = s > 0 && epilogue_of(t, s - 1).exists;
    if (!t.is_pass(s) || is_taken_along) {
      ++s;
      continue;
    }
    int end = s;
    while (t.is_pass(end)) ++end;
    while (s < end) {
      const launch_group g = group_from(t, s, end);
      groups[t.steps[s].index] = g;
      s += g.count;
    }
  }
}

template <class Stage>
constexpr auto launch_groups() {
  std::array<launch_group, plan_of<Stage>.passes.size()> groups{};
  find_groups(launch_tables_of<Stage>(), groups.data());
  return groups;
}

}  // namespace detail

/// By pass, the group that it is the first of.
template <class Stage>
inline constexpr auto launch_groups_of = detail::launch_groups<Stage>();

}  // namespace tapeless::thrust_kernels
