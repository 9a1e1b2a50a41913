// SPDX-License-Identifier: BSL-1.0
// What a fused kernel is keyed on: operations, element types and lanes, but no positions and no extents, so
// that equal layers share one on every policy.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/plan/plan.hpp>

namespace tapeless {

struct load_key {
  lane kind;
  element type;
};

/// Operands: load k as -1 - k, an earlier instruction as its number.
struct instruction_key {
  int code;
  element type;
  int count;
  int a, b, c;
};

struct store_key {
  lane kind;
  element type;
  int source;
  int reduction;  // reduction_code, or -1
};

template <load_key...>
struct load_keys {};
template <instruction_key...>
struct instruction_keys {};
template <store_key...>
struct store_keys {};

template <class Loads, class Instructions, class Stores, bool InnermostReduced>
struct kernel_key;

/// What kernels are chosen by, of one fused kernel.
struct fused_kernel_summary {
  int first_load, loads;
  int first_instruction, instructions;
  int first_store, stores;
  int rank;
  bool innermost_reduced;
  bool reduces;  // a fused kernel that only adds to memory is a map
};

namespace detail {

template <class GraphBuilder>
constexpr auto summarize_fused_kernels() {
  constexpr auto& plan = plan_of<GraphBuilder>;
  std::array<fused_kernel_summary, plan.fused_kernels.size()> all{};
  for (std::size_t i = 0; i != all.size(); ++i) {
    const planned_fused_kernel& p = plan.fused_kernels[i];
    bool reduces = false;
    for (int k = 0; k < p.stores; ++k)
      reduces = reduces || plan.stores[static_cast<std::size_t>(p.first_store + k)].reduction != nullptr;
    all[i] = {p.first_load,
              p.loads,
              p.first_instruction,
              p.instructions,
              p.first_store,
              p.stores,
              p.rank,
              ((p.reduced << 1) >> p.rank & 1u) != 0,
              reduces && !p.accumulates};
  }
  return all;
}

template <class GraphBuilder>
constexpr auto list_loads() {
  constexpr auto& plan = plan_of<GraphBuilder>;
  std::array<load_key, plan.loads.size()> all{};
  for (std::size_t i = 0; i != all.size(); ++i) all[i] = {plan.loads[i].kind, plan.loads[i].type};
  return all;
}
template <class GraphBuilder>
constexpr auto list_instructions() {
  constexpr auto& plan = plan_of<GraphBuilder>;
  std::array<instruction_key, plan.instructions.size()> all{};
  for (std::size_t i = 0; i != all.size(); ++i) {
    const auto& x = plan.instructions[i];
    all[i] = {pointwise_code(x.op), x.type, x.operand_count, x.operands[0], x.operands[1], x.operands[2]};
  }
  return all;
}
template <class GraphBuilder>
constexpr auto list_stores() {
  constexpr auto& plan = plan_of<GraphBuilder>;
  std::array<store_key, plan.stores.size()> all{};
  for (std::size_t i = 0; i != all.size(); ++i) {
    const auto& x = plan.stores[i];
    all[i] = {x.kind, x.type, x.source, x.reduction == nullptr ? -1 : reduction_code(x.reduction)};
  }
  return all;
}

template <class GraphBuilder>
constexpr auto list_product_types() {
  constexpr auto& plan = plan_of<GraphBuilder>;
  std::array<element, plan.products.size()> all{};
  for (std::size_t i = 0; i != all.size(); ++i) all[i] = plan.products[i].type;
  return all;
}

}  // namespace detail

// Tables of a plan's parts, each made by one constant evaluation: nvcc keeps a copy of what a constant
// expression reads from, which takes megabytes where it is the plan as a whole.
template <class GraphBuilder>
inline constexpr auto fused_kernel_summaries_of = detail::summarize_fused_kernels<GraphBuilder>();
template <class GraphBuilder>
inline constexpr auto load_keys_of = detail::list_loads<GraphBuilder>();
template <class GraphBuilder>
inline constexpr auto instruction_keys_of = detail::list_instructions<GraphBuilder>();
template <class GraphBuilder>
inline constexpr auto store_keys_of = detail::list_stores<GraphBuilder>();
template <class GraphBuilder>
inline constexpr auto product_types_of = detail::list_product_types<GraphBuilder>();

namespace detail {

template <class GraphBuilder, int Kernel, int... L, int... I, int... S>
constexpr auto make_kernel_key(std::integer_sequence<int, L...>, std::integer_sequence<int, I...>,
                               std::integer_sequence<int, S...>) {
  constexpr fused_kernel_summary p = fused_kernel_summaries_of<GraphBuilder>[Kernel];
  return static_cast<
      kernel_key<load_keys<load_keys_of<GraphBuilder>[p.first_load + L]...>,
                 instruction_keys<instruction_keys_of<GraphBuilder>[p.first_instruction + I]...>,
                 store_keys<store_keys_of<GraphBuilder>[p.first_store + S]...>, p.innermost_reduced>*>(
      nullptr);
}

}  // namespace detail

/// The kernel key of fused kernel number Kernel of a program's plan, as a type (behind a pointer).
template <class GraphBuilder, int Kernel>
using kernel_key_of = decltype(detail::make_kernel_key<GraphBuilder, Kernel>(
    std::make_integer_sequence<int, fused_kernel_summaries_of<GraphBuilder>[Kernel].loads>{},
    std::make_integer_sequence<int, fused_kernel_summaries_of<GraphBuilder>[Kernel].instructions>{},
    std::make_integer_sequence<int, fused_kernel_summaries_of<GraphBuilder>[Kernel].stores>{}));

}  // namespace tapeless
