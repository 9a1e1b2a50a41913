// SPDX-License-Identifier: BSL-1.0
// The kernels of a plan over Thrust: for each of its fused kernels, and of what is of a family, the
// instantiation that its kernel key asks for. Products are the backend's own.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/run/gpu/kernels/batch_kernel.hpp>
#include <tapeless/run/gpu/kernels/finish_product.hpp>
#include <tapeless/run/gpu/kernels/gpu_families.hpp>
#include <tapeless/run/gpu/kernels/reduce_batch.hpp>
#include <tapeless/run/gpu/kernels/rows.hpp>
#include <tapeless/run/gpu/launch/launch_groups.hpp>

namespace tapeless::thrust_kernels {

/// What runs a group of fused kernels.
template <class Executor>
using fused_kernel = void (*)(const fused_kernel_arguments* const*, Executor&);

/// The kernels of a program.
template <class Executor>
struct kernel_table {
  array_view<const fused_kernel<Executor>> fused_kernels;  // by the first one of a group; null for the others
  array_view<const launch_group> groups;                   // the same
  array_view<const epilogue> epilogues;                    // by product
  array_view<const bias_gradient> gradients;               // the same
  array_view<void (*const)(const finished_product&, Executor&)> finishes;  // the same
  by_family<family_kernel_finder<Executor>::template kernels, kernel_families> of_families;
};

namespace detail {

template <class GraphBuilder>
constexpr bool reduces(int fused_kernel) {
  return fused_kernel_summaries_of<GraphBuilder>[static_cast<std::size_t>(fused_kernel)].reduces;
}

// With so many loops more than it has, of at least LeastRank.
template <class GraphBuilder, int Kernel, int LeastRank = 1, int More = 0>
using body_of =
    kernel_body<std::remove_pointer_t<kernel_key_of<GraphBuilder, Kernel>>,
                (fused_kernel_summaries_of<GraphBuilder>[Kernel].rank + More <= LeastRank ? LeastRank
                                                                                          : max_rank)>;

template <class Body, bool Reduces, class Executor>
void run_alone(const fused_kernel_arguments* const* arguments, Executor& executor) {
  if constexpr (Reduces) {
    reduce<Body>::run(**arguments, executor);
  } else {
    map<Body>::run(**arguments, executor);
  }
}

struct member_of_rows {
  int fused_kernel;
  row_loops loops;
};

// By the first fused kernel of a group of rows, its members, and which of their loops are rows.
template <class GraphBuilder>
constexpr auto list_members_of_rows() {
  constexpr auto& groups = launch_groups_of<GraphBuilder>;
  const launch_tables t = launch_tables_of<GraphBuilder>();
  const fused_rows finder(t);
  std::array<std::array<member_of_rows, most_in_rows>, groups.size()> all{};
  for (int s = 0; s < t.command_count; ++s) {
    if (!t.is_fused_kernel(s)) continue;
    const auto first = static_cast<std::size_t>(t.commands[s].index);
    if (groups[first].kind != grouping::rows) continue;
    for (int k = 0; k < groups[first].count; ++k)
      all[first][static_cast<std::size_t>(k)] = {
          t.commands[s + k].index, finder.by_rows(t.fused_kernel_at(s + k), groups[first].rows).loops};
  }
  return all;
}
template <class GraphBuilder>
inline constexpr auto members_of_rows = list_members_of_rows<GraphBuilder>();

template <class GraphBuilder, int Kernel, int K>
inline constexpr int member = members_of_rows<GraphBuilder>[Kernel][K].fused_kernel;
template <class GraphBuilder, int Kernel, int K>
constexpr row_loops loops_of_member() {
  return members_of_rows<GraphBuilder>[Kernel][K].loops;
}

template <class GraphBuilder, int Kernel, class Executor, int... K>
constexpr fused_kernel<Executor> rows_kernel(std::integer_sequence<int, K...>) {
  return &rows_of<row_kernel<body_of<GraphBuilder, member<GraphBuilder, Kernel, K>, 2,
                                     (loops_of_member<GraphBuilder, Kernel, K>().split > 0 ? 1 : 0)>,
                             reduces<GraphBuilder>(member<GraphBuilder, Kernel, K>)>...>::
      template run<loops_of_member<GraphBuilder, Kernel, K>()...>;
}

template <class GraphBuilder, class Executor, int Kernel>
constexpr fused_kernel<Executor> fused_kernel_of() {
  constexpr launch_group group = launch_groups_of<GraphBuilder>[Kernel];
  if constexpr (group.count == 0) {
    return nullptr;
  } else if constexpr (group.kind == grouping::rows) {
    return rows_kernel<GraphBuilder, Kernel, Executor>(std::make_integer_sequence<int, group.count>{});
  } else if constexpr (group.kind == grouping::batch) {
    using batch_of_kind = std::conditional_t<reduces<GraphBuilder>(Kernel),
                                             reduce_batch<body_of<GraphBuilder, Kernel>, group.count>,
                                             batch<body_of<GraphBuilder, Kernel>, group.count>>;
    return &batch_of_kind::template run<Executor>;
  } else {
    return &run_alone<body_of<GraphBuilder, Kernel>, reduces<GraphBuilder>(Kernel), Executor>;
  }
}

template <class GraphBuilder, class Executor, int... Kernel>
constexpr auto make_fused_kernels(std::integer_sequence<int, Kernel...>) {
  return std::array<fused_kernel<Executor>, sizeof...(Kernel)>{
      fused_kernel_of<GraphBuilder, Executor, Kernel>()...};
}
template <class GraphBuilder, class Executor>
inline constexpr auto fused_kernels_of = make_fused_kernels<GraphBuilder, Executor>(
    std::make_integer_sequence<int, static_cast<int>(fused_kernel_summaries_of<GraphBuilder>.size())>{});

}  // namespace detail

/// The kernels of a program's plan on an executor.
template <class GraphBuilder, class Executor>
inline constexpr kernel_table<Executor> kernels_of{
    detail::fused_kernels_of<GraphBuilder, Executor>,
    launch_groups_of<GraphBuilder>,
    epilogues_of<GraphBuilder>,
    bias_gradients_of<GraphBuilder>,
    product_finishes_of<GraphBuilder, Executor>,
    find_kernels<GraphBuilder, family_kernel_finder<Executor>,
                 family_kernel_finder<Executor>::template kernels>(kernel_families{})};

/// How many commands are one launch from this one on.
template <class Executor>
std::size_t commands_at_once(const kernel_table<Executor>& kernels, const planned_command& command) {
  return commands_at_once(kernels.groups, kernels.epilogues, command);
}

/// The fused kernel that a product takes along, or -1.
template <class Executor>
int taken_along(const kernel_table<Executor>& kernels, std::size_t product) {
  const bias_gradient& g = kernels.gradients[product];
  return g.side == summed::nothing ? -1 : g.fused_kernel;
}

/// Runs the fused kernels of one launch. Arguments are by fused kernel.
template <class Executor>
void run_group(const kernel_table<Executor>& kernels, array_view<const planned_command> commands,
               const fused_kernel_arguments* arguments, Executor& executor) {
  const auto first = static_cast<std::size_t>(commands[0].index);
  if (kernels.groups[first].kind == grouping::with_product) return;
  const fused_kernel_arguments* group[std::max(most_in_rows, most_in_batch)] = {};
  for (std::size_t k = 0; k < commands.size(); ++k) group[k] = arguments + commands[k].index;
  kernels.fused_kernels[first](group, executor);
}

/// The product that the commands begin with, and what it takes along of the fused kernels.
template <class Executor>
finished_product with_fused_kernels(const kernel_table<Executor>& kernels,
                                    array_view<const planned_command> commands,
                                    const product_arguments& arguments,
                                    const fused_kernel_arguments* of_fused_kernels) {
  const auto i = static_cast<std::size_t>(commands[0].index);
  finished_product f{.arguments = arguments};
  if (commands.size() > 1) f = finished(arguments, kernels.epilogues[i], of_fused_kernels[commands[1].index]);
  if (const bias_gradient& g = kernels.gradients[i]; g.side != summed::nothing) {
    f.side = g.side;
    f.sums =
        of_fused_kernels[g.fused_kernel].operands[of_fused_kernels[g.fused_kernel].operand_count - 1].data;
  }
  return f;
}

/// Runs the fused kernel whose sums a product was to take along, but has not.
template <class Executor>
void run_gradient(const kernel_table<Executor>& kernels, const bias_gradient& gradient,
                  const fused_kernel_arguments* of_fused_kernels, Executor& executor) {
  const fused_kernel_arguments* arguments = of_fused_kernels + gradient.fused_kernel;
  kernels.fused_kernels[static_cast<std::size_t>(gradient.fused_kernel)](&arguments, executor);
}

}  // namespace tapeless::thrust_kernels
