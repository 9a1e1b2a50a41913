// SPDX-License-Identifier: BSL-1.0
// Which passes that follow one another are one launch: those that work on the same rows, and those that do
// the same to different memory; and which are none, because a product takes them along. Ordinary constexpr
// code over a plan's tables.
#pragma once

#include <array>

#include <tapeless/run/thrust/batch_groups.hpp>
#include <tapeless/run/thrust/bias_gradients.hpp>
#include <tapeless/run/thrust/epilogues.hpp>
#include <tapeless/run/thrust/row_groups.hpp>

namespace tapeless::thrust_kernels {

/// alone: one pass. rows: passes that one team runs one after the other for each row, so that a softmax reads
/// its row once. batch: the same operations on different memory, such as the updates of all parameters.
/// with_product: one pass, which comes later: a product sums up what that pass would.
enum class grouping : std::uint8_t { alone, rows, batch, with_product };

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
    if (!t.is_pass(s)) {
      s += epilogue_of(t, s).exists ? 2 : 1;
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

/// Sets gradients[product], for passes that would be launches of their own.
constexpr void find_gradients(const launch_tables& t, launch_group* groups, bias_gradient* gradients) {
  for (int s = 0; s < t.step_count; ++s) {
    if (!t.is_pass(s)) continue;
    launch_group& group = groups[t.steps[s].index];
    if (group.kind != grouping::alone || group.count != 1) continue;
    const taking_product found = product_that_takes(t, s, gradients);
    if (found.product < 0) continue;
    gradients[found.product] = {found.side, t.steps[s].index};
    group.kind = grouping::with_product;
  }
}

template <int Passes, int Products>
struct launch_plan {
  std::array<launch_group, Passes> groups{};
  std::array<bias_gradient, Products> gradients{};
};

template <class Stage>
constexpr auto plan_launches() {
  launch_plan<static_cast<int>(plan_of<Stage>.passes.size()),
              static_cast<int>(plan_of<Stage>.products.size())>
      launches;
  const launch_tables t = launch_tables_of<Stage>();
  find_groups(t, launches.groups.data());
  find_gradients(t, launches.groups.data(), launches.gradients.data());
  return launches;
}
template <class Stage>
inline constexpr auto launch_plan_of = plan_launches<Stage>();

}  // namespace detail

/// By pass, the group that it is the first of.
template <class Stage>
inline constexpr auto& launch_groups_of = detail::launch_plan_of<Stage>.groups;

/// By product, the pass that it takes along.
template <class Stage>
inline constexpr auto& bias_gradients_of = detail::launch_plan_of<Stage>.gradients;

}  // namespace tapeless::thrust_kernels
