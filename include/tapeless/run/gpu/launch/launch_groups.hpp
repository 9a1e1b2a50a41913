// SPDX-License-Identifier: BSL-1.0
// Groups fused kernels that follow one another into launches: those that work on the same rows, and those
// that do the same to different memory. Those that a product takes along have no launch. Ordinary constexpr
// code over a plan's tables.
#pragma once

#include <array>
#include <cstddef>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/plan/constant_plan.hpp>
#include <tapeless/run/gpu/launch/batch_groups.hpp>
#include <tapeless/run/gpu/launch/bias_gradients.hpp>
#include <tapeless/run/gpu/launch/epilogues.hpp>
#include <tapeless/run/gpu/launch/row_groups.hpp>

namespace tapeless::thrust_kernels {

/// Fused kernels are
///   alone: a single one
///   rows: run one after the other for each row, so that a softmax reads its row once
///   batch: the same operations on different memory, such as the updates of all parameters
///   with_product: a single one without a launch, since a later product sums up what it would
enum class grouping : std::uint8_t { alone, rows, batch, with_product };

/// The fused kernels of one launch: `count` commands from the one on by which it is found, or 0 where that is
/// in the group of another one.
struct launch_group {
  grouping kind = grouping::alone;
  int count = 0;
  extent_factors rows = {};  // how many rows there are, of those
};

namespace detail {

/// Whether updates of several parameters may be one launch: not where each parameter changes as soon as its
/// own sum of gradients has come.
template <class GraphBuilder>
constexpr bool updates_in_batches() {
  if constexpr (requires { GraphBuilder::last_first; }) {
    return !GraphBuilder::last_first;
  } else {
    return true;
  }
}

// The commands from `begin` to `end` are fused kernels.
constexpr launch_group group_from(const launch_tables& t, int begin, int end, bool in_batches) {
  int batch = begin + 1;
  while (in_batches && batch < end && batch - begin < most_in_batch && joins_batch(t, begin, batch)) ++batch;
  const row_group rows = row_groups(t).from(begin, end);
  if (rows.count > 1 && begin + rows.count >= batch) return {grouping::rows, rows.count, rows.rows};
  return {batch - begin > 1 ? grouping::batch : grouping::alone, batch - begin};
}

/// Sets groups[fused kernel] for the first fused kernel of each group.
constexpr void find_groups(const launch_tables& t, launch_group* groups, bool in_batches) {
  for (int s = 0; s < t.command_count;) {
    if (!t.is_fused_kernel(s)) {
      s += epilogue_of(t, s).exists ? 2 : 1;
      continue;
    }
    int end = s;
    while (t.is_fused_kernel(end)) ++end;
    while (s < end) {
      const launch_group g = group_from(t, s, end, in_batches);
      groups[t.commands[s].index] = g;
      s += g.count;
    }
  }
}

/// Sets gradients[product], for fused kernels that would be launches of their own.
constexpr void find_gradients(const launch_tables& t, launch_group* groups, bias_gradient* gradients) {
  for (int s = 0; s < t.command_count; ++s) {
    if (!t.is_fused_kernel(s)) continue;
    launch_group& group = groups[t.commands[s].index];
    if (group.kind != grouping::alone || group.count != 1) continue;
    const taking_product found = product_that_takes(t, s, gradients);
    if (found.product < 0) continue;
    gradients[found.product] = {found.side, t.commands[s].index};
    group.kind = grouping::with_product;
  }
}

template <int FusedKernels, int Products>
struct launch_plan {
  std::array<launch_group, FusedKernels> groups{};
  std::array<bias_gradient, Products> gradients{};
};

template <class GraphBuilder>
constexpr auto plan_launches() {
  launch_plan<static_cast<int>(plan_of<GraphBuilder>.fused_kernels.size()),
              static_cast<int>(plan_of<GraphBuilder>.products.size())>
      launches;
  const launch_tables t = launch_tables_of<GraphBuilder>();
  find_groups(t, launches.groups.data(), updates_in_batches<GraphBuilder>());
  find_gradients(t, launches.groups.data(), launches.gradients.data());
  return launches;
}
template <class GraphBuilder>
inline constexpr auto launch_plan_of = plan_launches<GraphBuilder>();

}  // namespace detail

/// By fused kernel, the group that it is the first of.
template <class GraphBuilder>
inline constexpr auto& launch_groups_of = detail::launch_plan_of<GraphBuilder>.groups;

/// By product, the fused kernel that it takes along.
template <class GraphBuilder>
inline constexpr auto& bias_gradients_of = detail::launch_plan_of<GraphBuilder>.gradients;

/// How many commands are one launch from this fused kernel or product on.
constexpr std::size_t commands_at_once(array_view<const launch_group> groups,
                                       array_view<const epilogue> epilogues, const planned_command& command) {
  const auto i = static_cast<std::size_t>(command.index);
  if (command.kind == planned_command::kind::product) return epilogues[i].exists ? 2 : 1;
  return static_cast<std::size_t>(groups[i].count);
}

namespace detail {

template <class GraphBuilder>
constexpr auto count_commands_at_once() {
  constexpr auto& commands = plan_of<GraphBuilder>.commands;
  std::array<std::size_t, commands.size()> all{};
  for (std::size_t s = 0; s < commands.size(); ++s) {
    const planned_command& c = commands[s];
    all[s] = c.may_be_launched_with_others()
                 ? commands_at_once(launch_groups_of<GraphBuilder>, epilogues_of<GraphBuilder>, c)
                 : 1;
  }
  return all;
}

}  // namespace detail

/// By command, how many commands are launched from it on; of those that begin a launch.
template <class GraphBuilder>
inline constexpr auto commands_at_once_of = detail::count_commands_at_once<GraphBuilder>();

}  // namespace tapeless::thrust_kernels
