// SPDX-License-Identifier: BSL-1.0
// What a pass's kernel is keyed on: operations, element types and lanes, but no positions and no extents, so
// that equal layers share one kernel on every policy.
#pragma once

#include <utility>

#include <tapeless/ops/primitives.hpp>
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
struct pass_description;

namespace detail {

template <class Stage, int Pass, int... L, int... I, int... S>
constexpr auto describe(std::integer_sequence<int, L...>, std::integer_sequence<int, I...>,
                        std::integer_sequence<int, S...>) {
  constexpr auto& plan = plan_of<Stage>;
  constexpr const planned_pass& p = plan.passes[Pass];
  constexpr bool innermost_reduced = ((p.reduced << 1) >> p.rank & 1u) != 0;
  return static_cast<pass_description<
      load_keys<load_key{plan.loads[p.first_load + L].kind, plan.loads[p.first_load + L].type}...>,
      instruction_keys<instruction_key{pointwise_code(plan.instructions[p.first_instruction + I].op),
                                       plan.instructions[p.first_instruction + I].type,
                                       plan.instructions[p.first_instruction + I].operand_count,
                                       plan.instructions[p.first_instruction + I].operands[0],
                                       plan.instructions[p.first_instruction + I].operands[1],
                                       plan.instructions[p.first_instruction + I].operands[2]}...>,
      store_keys<store_key{plan.stores[p.first_store + S].kind, plan.stores[p.first_store + S].type,
                           plan.stores[p.first_store + S].source,
                           plan.stores[p.first_store + S].reduction == nullptr
                               ? -1
                               : reduction_code(plan.stores[p.first_store + S].reduction)}...>,
      innermost_reduced>*>(nullptr);
}

}  // namespace detail

/// The description of pass number Pass of a stage's plan, as a type (behind a pointer).
template <class Stage, int Pass>
using description_of = decltype(detail::describe<Stage, Pass>(
    std::make_integer_sequence<int, plan_of<Stage>.passes[Pass].loads>{},
    std::make_integer_sequence<int, plan_of<Stage>.passes[Pass].instructions>{},
    std::make_integer_sequence<int, plan_of<Stage>.passes[Pass].stores>{}));

}  // namespace tapeless
