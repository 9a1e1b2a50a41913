// SPDX-License-Identifier: BSL-1.0
// The values of one iteration of a fused kernel's innermost loop, one number or one vector each, and the
// instructions that compute them. The kernel key gives their numbers. Functions are constexpr so that a GPU's
// code may call them.
#pragma once

#include <type_traits>
#include <utility>

#include <tapeless/graph/core/rounded.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/kernel_key.hpp>

namespace tapeless {

/// One element per iteration, of whatever types the kernel key mixes.
struct narrow_lanes {
  static constexpr int width = 1;
  template <element Type>
  using value = computed_as<Type>;
};

template <int I, class Value>
struct register_slot {
  Value held;
};

/// Registers -L..-1 are the loads (load k is -1 - k), 0..I-1 the instructions' results.
template <class Lanes, class Loads, class Instructions, class LoadNumbers, class InstructionNumbers>
struct registers;
template <class Lanes, load_key... L, instruction_key... I, int... LoadNumber, int... InstructionNumber>
struct registers<Lanes, load_keys<L...>, instruction_keys<I...>, std::integer_sequence<int, LoadNumber...>,
                 std::integer_sequence<int, InstructionNumber...>>
    : register_slot<-1 - LoadNumber, typename Lanes::template value<L.type>>...,
      register_slot<InstructionNumber, typename Lanes::template value<I.type>>... {};

template <int I, class Value>
constexpr Value& held(register_slot<I, Value>& slot) {
  return slot.held;
}
template <int I, class Value>
constexpr const Value& held(const register_slot<I, Value>& slot) {
  return slot.held;
}

template <class To, class From>
constexpr To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> &&
                       !std::is_same_v<To, bool>) {
    return whole_part<To>(x);
  } else if constexpr (std::is_arithmetic_v<From>) {
    return static_cast<To>(x);
  } else if constexpr (requires { as_numbers(x); }) {
    return as_numbers(x);
  } else {
    return as_conditions(x);
  }
}

/// What an instruction computes, which is rounded before the next one reads it.
template <class Result, class X>
[[gnu::always_inline]] constexpr Result as_result(X x) {
  if constexpr (std::is_floating_point_v<Result>) {
    return rounded(static_cast<Result>(x));
  } else {
    return static_cast<Result>(x);
  }
}

/// Computes an instruction with so many operands; the others are anything. A function of values, which
/// kernels share, rather than of a kernel's registers.
template <int Code, int Count, class Result, class A, class B, class C>
[[gnu::always_inline]] constexpr void compute(Result& result, const A& a, [[maybe_unused]] const B& b,
                                              [[maybe_unused]] const C& c) {
  if constexpr (Code == copy_code || Code == cast_code) {
    result = convert<Result>(a);
  } else {
    using pointwise = pointwise_operation_at<Code>;
    if constexpr (Count == 1) result = as_result<Result>(pointwise::apply(a));
    if constexpr (Count == 2) result = as_result<Result>(pointwise::apply(a, b));
    if constexpr (Count == 3) result = as_result<Result>(pointwise::apply(a, b, c));
  }
}

/// Computes one instruction from the registers before it.
template <instruction_key Key, int Number, class Registers>
[[gnu::always_inline]] constexpr void execute(Registers& r) {
  compute<Key.code, Key.count>(held<Number>(r), held<Key.a>(r), held<(Key.count > 1 ? Key.b : Key.a)>(r),
                               held<(Key.count > 2 ? Key.c : Key.a)>(r));
}

}  // namespace tapeless
