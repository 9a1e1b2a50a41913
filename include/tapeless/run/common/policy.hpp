// SPDX-License-Identifier: BSL-1.0
// What a trainer or function is told to run on: the contract of policies.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <tapeless/expr/contract.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/run/common/program_core.hpp>

namespace tapeless {

/// The contract of a program: a plan that is made ready and run. program_core makes one of a backend. It has
///   whole_windows       whether convolutions and poolings stay whole in its plans
///   whole_attention     which attentions do, too (attention_support); may be missing
///   resources           what the programs of one trainer share
///   a constructor       from a plan_view, the policy's kernels<GraphBuilder> and a program_memory<resources>
///   plan()              its plan
///   prepare(symbols)    lays out memory; symbols(k) is the value of run-time extent k
///   extent(e)           the value of an extent of the plan's, after that
///   run(inputs)         computes all; inputs[i] is where the elements of input i are. One that takes inputs
///   on
///                       a device has device() and run(inputs, on_device)
///   output(id)          where the elements of an output are, until the next run
///   overwrites(bytes)   whether a run may change these bytes
///   arena_bytes()       how much memory it holds
/// Laws: the same inputs, parameters, states and numbers give the same bits; run allocates nothing.
template <class Program>
struct program_contract {
  using subject = Program;
  static constexpr std::string_view noun = "program of a policy";
  using pointers = array_view<const std::byte* const>;
  static constexpr bool has_windows =
      requires { requires std::same_as<const bool, decltype(Program::whole_windows)>; };
  static constexpr bool has_resources = requires { typename Program::resources; };
  static constexpr bool has_plan = requires(const Program& p) {
    { p.plan() } -> std::convertible_to<const plan_view&>;
  };
  static constexpr bool prepares =
      requires(Program& p, std::int64_t (*symbols)(std::size_t)) { p.prepare(symbols); };
  static constexpr bool has_extents = requires(const Program& p, std::int64_t e) {
    { p.extent(e) } -> std::convertible_to<std::int64_t>;
  };
  static constexpr bool runs = requires(Program& p, pointers inputs) { p.run(inputs); };
  static constexpr bool runs_on_device = requires(Program& p, pointers inputs) {
    p.run(inputs, inputs);
    p.device();
  };
  static constexpr bool shows = requires(const Program& p, int id) {
    { p.output(id) } -> std::convertible_to<const std::byte*>;
  };
  static constexpr bool knows_memory = requires(const Program& p, array_view<const std::byte> bytes) {
    { p.overwrites(bytes) } -> std::convertible_to<bool>;
  };
  static constexpr bool counts_memory = requires(const Program& p) {
    { p.arena_bytes() } -> std::convertible_to<std::int64_t>;
  };
  static constexpr demand demands[9] = {
      {has_windows, "whole_windows, a constant bool"},
      {has_resources, "the type resources"},
      {has_plan, "plan() const"},
      {prepares, "prepare(symbols)"},
      {has_extents, "extent(e) const"},
      {runs || runs_on_device, "run(inputs)"},
      {shows, "output(id) const"},
      {knows_memory, "overwrites(bytes) const"},
      {counts_memory, "arena_bytes() const"},
  };
};

template <class Program>
concept is_program = is_kept<program_contract<Program>>();

/// The contract of a policy. It is a small class, copied into calls, with the user's options as members:
/// cpu{.threads = 4}. It has
///   program           what runs a plan, see program_contract
///   memory            of parameters and states, see memory_contract, made by resources.allocate(bytes)
///   resources         what the programs of one trainer share: program::resources, made from the policy
///   kernels<GraphBuilder>    what its programs know of their commands while compiling
///   in_line<GraphBuilder>    where a program is one function, as straight_lines has it. It may be missing,
///                            as may most_lines and commands<GraphBuilder>, which tl::cpu has beside it
/// Law: what two policies compute differs by rounding only.
template <class Policy>
struct policy_contract {
  using subject = Policy;
  static constexpr std::string_view noun = "policy";
  static constexpr std::string_view instead =
      std::is_arithmetic_v<Policy>
          ? "a seed follows the policy, as in tl::cpu{}, 42, and tl::cpu{4} has four threads"
          : "";
  static constexpr bool has_program = requires { typename Policy::program; };
  static constexpr bool has_memory = requires { typename Policy::memory; };
  static constexpr bool has_resources =
      requires { requires std::constructible_from<typename Policy::resources, const Policy&>; };
  static constexpr demand demands[3] = {
      {has_program, "the type program"},
      {has_memory, "the type memory"},
      {has_resources, "the type resources, made from the policy"},
  };
};
template <class Policy>
concept is_policy = is_kept<policy_contract<Policy>>();

/// Whether trainers and functions can run on the policy.
template <class Policy>
constexpr bool can_run_on() {
  if constexpr (is_policy<Policy>) {
    return is_program<typename Policy::program> && is_memory<typename Policy::memory>;
  } else {
    return false;
  }
}

/// Stops the compiler with the sentence that says why not, where they cannot.
template <class Policy, bool Kept = is_policy<Policy>>
struct policy_report : contract_report<policy_contract<Policy>> {};
template <class Policy>
struct policy_report<Policy, true>
    : contract_report<memory_contract<typename Policy::memory>>,
      contract_report<program_contract<typename Policy::program>,
                      is_program<typename Policy::program> || stands_in<typename Policy::program>> {};

}  // namespace tapeless
