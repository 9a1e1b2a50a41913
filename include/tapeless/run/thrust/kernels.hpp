// SPDX-License-Identifier: BSL-1.0
// The kernels of a plan over Thrust: for each of its passes and walks the instance that its description asks
// for. Products are the machine's own.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include <tapeless/graph/array_view.hpp>
#include <tapeless/run/thrust/batch.hpp>
#include <tapeless/run/thrust/convolution.hpp>
#include <tapeless/run/thrust/finish_product.hpp>
#include <tapeless/run/thrust/launch_groups.hpp>
#include <tapeless/run/thrust/pooling.hpp>
#include <tapeless/run/thrust/rows.hpp>
#include <tapeless/run/thrust/walk.hpp>

namespace tapeless::thrust_kernels {

/// What runs a group of passes.
template <class Executor>
using pass_kernel = void (*)(const pass_call* const*, Executor&);

/// The kernels of a program's passes and walks.
template <class Executor>
struct kernel_table {
  array_view<const pass_kernel<Executor>> passes;  // by the first one of a group; null for the others
  array_view<const launch_group> groups;           // the same
  array_view<const epilogue> epilogues;            // by product
  array_view<const bias_gradient> gradients;       // the same
  array_view<void (*const)(const finished_product&, Executor&)> finishes;  // the same
  array_view<const convolution_kernel<Executor>> convolutions;
  array_view<const pooling_kernel<Executor>> poolings;
  array_view<void (*const)(const walk_call&, Executor&)> walks;
};

namespace detail {

template <class Stage>
constexpr bool reduces(int pass) {
  return pass_summaries_of<Stage>[static_cast<std::size_t>(pass)].reduces;
}

template <class Stage, int Pass, int LeastRank = 1>
using body_of = pass_body<std::remove_pointer_t<description_of<Stage, Pass>>,
                          (pass_summaries_of<Stage>[Pass].rank <= LeastRank ? LeastRank : max_rank)>;

template <class Body, bool Reduces, class Executor>
void run_alone(const pass_call* const* calls, Executor& executor) {
  if constexpr (Reduces) {
    reduce<Body>::run(**calls, executor);
  } else {
    map<Body>::run(**calls, executor);
  }
}

struct member_of_rows {
  int pass;
  std::int64_t split;
};

// By the first pass of a group of rows, its passes, and how each is split.
template <class Stage>
constexpr auto list_members_of_rows() {
  constexpr auto& groups = launch_groups_of<Stage>;
  const launch_tables t = launch_tables_of<Stage>();
  const row_groups finder(t);
  std::array<std::array<member_of_rows, most_in_rows>, groups.size()> all{};
  for (int s = 0; s < t.step_count; ++s) {
    if (!t.is_pass(s)) continue;
    const auto first = static_cast<std::size_t>(t.steps[s].index);
    if (groups[first].kind != grouping::rows) continue;
    for (int k = 0; k < groups[first].count; ++k)
      all[first][static_cast<std::size_t>(k)] = {t.steps[s + k].index,
                                                 finder.split_of(t.pass_at(s + k), groups[first].rows)};
  }
  return all;
}
template <class Stage>
inline constexpr auto members_of_rows = list_members_of_rows<Stage>();

template <class Stage, int Pass, int K>
inline constexpr int member = members_of_rows<Stage>[Pass][K].pass;
template <class Stage, int Pass, int K>
constexpr std::int64_t split_of_member() {
  return members_of_rows<Stage>[Pass][K].split;
}

template <class Stage, int Pass, class Executor, int... K>
constexpr pass_kernel<Executor> rows_kernel(std::integer_sequence<int, K...>) {
  return &rows_of<
      row_pass<body_of<Stage, member<Stage, Pass, K>, 2>, reduces<Stage>(member<Stage, Pass, K>)>...>::
      template run<split_of_member<Stage, Pass, K>()...>;
}

template <class Stage, class Executor, int Pass>
constexpr pass_kernel<Executor> pass_kernel_of() {
  constexpr launch_group group = launch_groups_of<Stage>[Pass];
  if constexpr (group.count == 0) {
    return nullptr;
  } else if constexpr (group.kind == grouping::rows) {
    return rows_kernel<Stage, Pass, Executor>(std::make_integer_sequence<int, group.count>{});
  } else if constexpr (group.kind == grouping::batch) {
    return &batch<body_of<Stage, Pass>, group.count>::template run<Executor>;
  } else {
    return &run_alone<body_of<Stage, Pass>, reduces<Stage>(Pass), Executor>;
  }
}

template <class Stage, class Executor, int... Pass>
constexpr auto pass_kernels(std::integer_sequence<int, Pass...>) {
  return std::array<pass_kernel<Executor>, sizeof...(Pass)>{pass_kernel_of<Stage, Executor, Pass>()...};
}
template <class Stage, class Executor>
inline constexpr auto pass_kernels_of = pass_kernels<Stage, Executor>(
    std::make_integer_sequence<int, static_cast<int>(pass_summaries_of<Stage>.size())>{});

template <class Stage, class Executor, int Walk>
constexpr auto walk_kernel_of() {
  constexpr auto w = walk_keys_of<Stage>[Walk];
  using value = storage_of<w.type>;
  using index = storage_of<w.index_type>;
  if constexpr (w.kind == walk::gather) return &gather<value, index, Executor>;
  if constexpr (w.kind == walk::scatter_add) return &scatter_add<value, index, Executor>;
  if constexpr (w.kind == walk::flip) return &flip<value, Executor>;
  if constexpr (w.kind == walk::cumsum) return &cumsum<value, Executor>;
}

template <class Stage, class Executor, int... Walk>
constexpr auto walk_kernels(std::integer_sequence<int, Walk...>) {
  return std::array<void (*)(const walk_call&, Executor&), sizeof...(Walk)>{
      walk_kernel_of<Stage, Executor, Walk>()...};
}
template <class Stage, class Executor>
inline constexpr auto walk_kernels_of = walk_kernels<Stage, Executor>(
    std::make_integer_sequence<int, static_cast<int>(walk_keys_of<Stage>.size())>{});

}  // namespace detail

/// The kernels of a stage's plan on an executor.
template <class Stage, class Executor>
inline constexpr kernel_table<Executor> kernels_of{detail::pass_kernels_of<Stage, Executor>,
                                                   launch_groups_of<Stage>,
                                                   epilogues_of<Stage>,
                                                   bias_gradients_of<Stage>,
                                                   product_finishes_of<Stage, Executor>,
                                                   convolution_kernels_of<Stage, Executor>,
                                                   pooling_kernels_of<Stage, Executor>,
                                                   detail::walk_kernels_of<Stage, Executor>};

/// How many steps are one launch from this one on.
template <class Executor>
std::size_t steps_at_once(const kernel_table<Executor>& kernels, const planned_step& step) {
  const auto i = static_cast<std::size_t>(step.index);
  if (step.kind == planned_step::kind::product) return kernels.epilogues[i].exists ? 2 : 1;
  return static_cast<std::size_t>(kernels.groups[i].count);
}

/// Runs the passes of one launch. Calls are by pass.
template <class Executor>
void run_group(const kernel_table<Executor>& kernels, array_view<const planned_step> steps,
               const pass_call* calls, Executor& executor) {
  const auto first = static_cast<std::size_t>(steps[0].index);
  if (kernels.groups[first].kind == grouping::with_product) return;
  const pass_call* group[std::max(most_in_rows, most_in_batch)] = {};
  for (std::size_t k = 0; k < steps.size(); ++k) group[k] = calls + steps[k].index;
  kernels.passes[first](group, executor);
}

/// The product that the steps begin with, and what it takes along of the passes.
template <class Executor>
finished_product with_passes(const kernel_table<Executor>& kernels, array_view<const planned_step> steps,
                             const product_call& call, const pass_call* passes) {
  const auto i = static_cast<std::size_t>(steps[0].index);
  finished_product f{.call = call};
  if (steps.size() > 1) f = finished(call, kernels.epilogues[i], passes[steps[1].index]);
  if (const bias_gradient& g = kernels.gradients[i]; g.side != summed::nothing) {
    f.side = g.side;
    f.sums = passes[g.pass].operands[passes[g.pass].operand_count - 1].data;
  }
  return f;
}

/// Runs the pass whose sums a product was to take along, but has not.
template <class Executor>
void run_gradient(const kernel_table<Executor>& kernels, const bias_gradient& gradient,
                  const pass_call* passes, Executor& executor) {
  const pass_call* call = passes + gradient.pass;
  kernels.passes[static_cast<std::size_t>(gradient.pass)](&call, executor);
}

}  // namespace tapeless::thrust_kernels
