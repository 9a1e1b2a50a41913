// SPDX-License-Identifier: BSL-1.0
// The kernel family of fused passes: element-by-element operations, and reductions of their results, in one
// run over memory. One instance for each description.
#pragma once

#include <cstddef>

#include <tapeless/run/cpu/registers.hpp>

namespace tapeless::cpu_kernels {

/// An operand of a pass: where its elements start this time, and how far the loops step, in elements.
struct pass_operand {
  std::byte* data = nullptr;
  double number = 0;
  std::int64_t first_index = 0;  // of lane::index
  std::int64_t strides[max_rank] = {};
};

/// What a pass's kernel is called with: loads, then stores.
struct pass_call {
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  unsigned reduced = 0;
  unsigned ordered = 0;      // axes that stay on one thread
  bool accumulates = false;  // reductions go on from what is in memory
  const pass_operand* operands = nullptr;
};

template <class Description>
struct pass_kernel;

template <load_key... L, instruction_key... I, store_key... S, bool InnermostReduced>
struct pass_kernel<
    pass_description<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, InnermostReduced>> {
  using description =
      pass_description<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, InnermostReduced>;
  using number = typename common_number<description>::type;
  static constexpr bool is_wide = !std::is_void_v<number>;
  using lanes = typename std::conditional_t<is_wide, std::type_identity<wide_lanes<number>>,
                                            std::type_identity<narrow_lanes>>::type;
  static constexpr int load_count = sizeof...(L), store_count = sizeof...(S);
  using load_numbers = std::make_integer_sequence<int, load_count>;
  using instruction_numbers = std::make_integer_sequence<int, static_cast<int>(sizeof...(I))>;
  using store_numbers = std::make_integer_sequence<int, store_count>;
  using turn = registers<lanes, load_keys<L...>, instruction_keys<I...>, load_numbers, instruction_numbers>;

  static void run(const pass_call& call) {
    run_place place;
    for (int k = 0; k < load_count + store_count; ++k) {
      place.data[k] = call.operands[k].data;
      place.strides[k] = call.rank == 0 ? 0 : call.operands[k].strides[call.rank - 1];
    }
    for (int k = 0; k < load_count; ++k) place.index[k] = call.operands[k].first_index;
    const int inner = call.rank - 1;
    const std::int64_t count = call.rank == 0 ? 1 : call.extents[inner];
    std::int64_t outer_count = 1;
    for (int d = 0; d < inner; ++d) outer_count *= call.extents[d];
    if (count * outer_count == 0) return fill_empty(call);

    std::int64_t position[max_rank] = {};
    while (true) {
      bool first = !call.accumulates;  // the first visit of the elements that the stores reduce into
      for (int d = 0; d < inner; ++d) first = first && ((call.reduced >> d & 1u) == 0 || position[d] == 0);
      innermost(call, place, count, first);
      int d = inner - 1;
      for (; d >= 0; --d) {
        step(call, place, d, 1);
        if (++position[d] < call.extents[d]) break;
        step(call, place, d, -call.extents[d]);
        position[d] = 0;
      }
      if (d < 0) return;
    }
  }

 private:
  /// Where the operands of a run of turns start, and how far their elements are apart.
  struct run_place {
    std::byte* data[load_count + store_count + 1];
    std::int64_t strides[load_count + store_count + 1];
    std::int64_t index[load_count + 1];
  };

  static constexpr std::int64_t element_sizes[] = {static_cast<std::int64_t>(size_of(L.type))...,
                                                   static_cast<std::int64_t>(size_of(S.type))..., 0};

  // Moves all operands by so many turns of loop d.
  static void step(const pass_call& call, run_place& place, int d, std::int64_t count) {
    for (int k = 0; k < load_count + store_count; ++k) {
      const std::int64_t elements = count * call.operands[k].strides[d];
      place.data[k] += elements * element_sizes[k];
      if (k < load_count) place.index[k] += elements;
    }
  }

  // Loads that do not change within the innermost loop.
  template <load_key Key, int Number>
  static void load_before(const pass_call& call, const run_place& place, turn& r) {
    using value = storage_of<Key.type>;
    if constexpr (Key.kind == lane::number || Key.kind == lane::broadcast) {
      const value x = [&] {
        if constexpr (Key.kind == lane::number) return static_cast<value>(call.operands[Number].number);
        return *reinterpret_cast<const value*>(place.data[Number]);
      }();
      if constexpr (is_wide) {
        held<-1 - Number>(r) = splat<number>(static_cast<number>(x));
      } else {
        held<-1 - Number>(r) = x;
      }
    }
  }

  // Loads for the elements from i on.
  template <load_key Key, int Number>
  static void load_each(const run_place& place, std::int64_t i, turn& r) {
    using value = storage_of<Key.type>;
    if constexpr (Key.kind == lane::index) {
      held<-1 - Number>(r) = static_cast<value>(place.index[Number] + i * place.strides[Number]);
    } else if constexpr (Key.kind == lane::contiguous || Key.kind == lane::strided) {
      const std::int64_t stride = Key.kind == lane::contiguous ? 1 : place.strides[Number];
      const value* from = reinterpret_cast<const value*>(place.data[Number]) + i * stride;
      if constexpr (!is_wide) {
        held<-1 - Number>(r) = *from;
      } else if constexpr (Key.kind == lane::contiguous) {
        held<-1 - Number>(r) = load(from);
      } else {
        held<-1 - Number>(r) = load(from, stride);
      }
    }
  }

  // Stores that do not reduce over the innermost loop.
  template <store_key Key, int Number>
  static void store_each(const run_place& place, std::int64_t i, bool first, turn& r) {
    if constexpr (Key.reduction < 0 || !InnermostReduced) {
      using value = storage_of<Key.type>;
      const std::int64_t stride = Key.kind == lane::contiguous ? 1 : place.strides[load_count + Number];
      value* to = reinterpret_cast<value*>(place.data[load_count + Number]) + i * stride;
      auto x = held<Key.source>(r);
      if constexpr (Key.reduction >= 0) {
        if (!first) x = combine<Key>(previous(to, stride), x);
      }
      if constexpr (!is_wide) {
        *to = x;
      } else if constexpr (Key.kind == lane::contiguous) {
        store(to, x);
      } else {
        store(to, stride, x);
      }
    }
  }

  template <class Value>
  static auto previous(const Value* from, std::int64_t stride) {
    if constexpr (is_wide) {
      return stride == 1 ? load(from) : load(from, stride);
    } else {
      return *from;
    }
  }

  template <store_key Key, class X>
  static X combine(X a, X b) {
    return static_cast<X>(reduction_rule_at<Key.reduction>::combine(a, b));
  }

  /// What a store has reduced so far over the innermost loop: a vector, into which blocks of turns are added,
  /// so that long sums lose little.
  template <store_key Key>
  struct accumulator {
    using value = storage_of<Key.type>;
    using held_type = typename lanes::template value<Key.type>;
    held_type total, block;
    value rest;
  };
  static constexpr std::int64_t block_turns = 256;

  template <class A, class Value>
  static void fill(A& held_in, Value x) {
    if constexpr (is_wide) {
      held_in = splat<number>(x);
    } else {
      held_in = x;
    }
  }

  template <store_key Key>
  static void begin(accumulator<Key>& a) {
    if constexpr (Key.reduction >= 0 && InnermostReduced) {
      constexpr auto identity = reduction_rule_at<Key.reduction>::template identity<storage_of<Key.type>>;
      fill(a.total, static_cast<storage_of<Key.type>>(identity));
      fill(a.block, static_cast<storage_of<Key.type>>(identity));
      a.rest = static_cast<storage_of<Key.type>>(identity);
    }
  }

  template <store_key Key>
  static void reduce(accumulator<Key>& a, std::int64_t valid, turn& r) {
    if constexpr (Key.reduction >= 0 && InnermostReduced) {
      if (valid == lanes::width) {
        a.block = combine<Key>(a.block, held<Key.source>(r));
      } else if constexpr (is_wide) {
        number all[lanes::width];
        store(all, held<Key.source>(r));
        for (std::int64_t i = 0; i < valid; ++i) a.rest = combine<Key>(a.rest, all[i]);
      }
    }
  }

  template <store_key Key>
  static void end_block(accumulator<Key>& a) {
    if constexpr (Key.reduction >= 0 && InnermostReduced) {
      constexpr auto identity = reduction_rule_at<Key.reduction>::template identity<storage_of<Key.type>>;
      a.total = combine<Key>(a.total, a.block);
      fill(a.block, static_cast<storage_of<Key.type>>(identity));
    }
  }

  template <store_key Key, int Number>
  static void finish(accumulator<Key>& a, std::byte* const* data, bool first) {
    if constexpr (Key.reduction >= 0 && InnermostReduced) {
      using value = storage_of<Key.type>;
      end_block<Key>(a);
      value result = a.rest;
      if constexpr (is_wide) {
        number all[lanes::width];
        store(all, a.total);
        for (number x : all) result = combine<Key>(result, x);
      } else {
        result = combine<Key>(result, a.total);
      }
      value* to = reinterpret_cast<value*>(data[load_count + Number]);
      *to = first ? result : combine<Key>(*to, result);
    }
  }

  template <class Numbers>
  struct accumulator_slots;
  template <int... StoreNumber>
  struct accumulator_slots<std::integer_sequence<int, StoreNumber...>>
      : register_slot<StoreNumber, accumulator<S>>... {};
  using accumulators = accumulator_slots<store_numbers>;

  // Turns of the innermost loop; in each, the first `valid` lanes hold elements.
  template <int... LoadNumber, int... InstructionNumber, int... StoreNumber>
  static void turns(const pass_call& call, const run_place& place, std::int64_t count, std::int64_t valid,
                    bool first, accumulators& sums, std::integer_sequence<int, LoadNumber...>,
                    std::integer_sequence<int, InstructionNumber...>,
                    std::integer_sequence<int, StoreNumber...>) {
    turn r;
    (load_before<L, LoadNumber>(call, place, r), ...);
    for (std::int64_t t = 0; t < count; ++t) {
      const std::int64_t i = t * lanes::width;
      (load_each<L, LoadNumber>(place, i, r), ...);
      (execute<I, InstructionNumber>(r), ...);
      (store_each<S, StoreNumber>(place, i, first, r), ...);
      (reduce<S>(held<StoreNumber>(sums), valid, r), ...);
      if constexpr (InnermostReduced)
        if (t % block_turns == block_turns - 1) (end_block<S>(held<StoreNumber>(sums)), ...);
    }
  }

  // The elements that do not fill a vector go through one turn in memory of their own, so that no turn has to
  // look at how many there are. One call of turns() serves both, so that it is compiled once.
  static void innermost(const pass_call& call, const run_place& place, std::int64_t count, bool first) {
    accumulators sums;
    begin_all(sums, store_numbers{});
    const std::int64_t full = count / lanes::width, rest = count % lanes::width;
    run_place now = place;
    tail_memory tail;
    for (bool in_tail = false;; in_tail = true) {
      turns(call, now, in_tail ? 1 : full, in_tail ? rest : lanes::width, first, sums, load_numbers{},
            instruction_numbers{}, store_numbers{});
      if constexpr (is_wide) {
        if (in_tail) leave_tail(place, tail, full * lanes::width, rest, store_numbers{});
        if (in_tail || rest == 0) break;
        enter_tail(place, tail, full * lanes::width, rest, now, load_numbers{}, store_numbers{});
      } else {
        break;
      }
    }
    finish_all(sums, place, first, store_numbers{});
  }

  template <int... StoreNumber>
  static void begin_all(accumulators& sums, std::integer_sequence<int, StoreNumber...>) {
    (begin<S>(held<StoreNumber>(sums)), ...);
  }
  template <int... StoreNumber>
  static void finish_all(accumulators& sums, const run_place& place, bool first,
                         std::integer_sequence<int, StoreNumber...>) {
    (finish<S, StoreNumber>(held<StoreNumber>(sums), place.data, first), ...);
  }

  template <class Number>
  struct memory_of_one_turn {
    Number items[load_count + store_count + 1][lanes::width];
  };
  using tail_memory =
      typename std::conditional_t<is_wide, memory_of_one_turn<number>, std::type_identity<void>>;

  template <int... LoadNumber, int... StoreNumber>
  static void enter_tail(const run_place& place, tail_memory& tail, std::int64_t i, std::int64_t rest,
                         run_place& now, std::integer_sequence<int, LoadNumber...>,
                         std::integer_sequence<int, StoreNumber...>) {
    const auto enter = [&](int k, bool moves) {
      if (!moves) return;
      const number* from = reinterpret_cast<const number*>(place.data[k]) + i * place.strides[k];
      for (std::int64_t n = 0; n < lanes::width; ++n)
        tail.items[k][n] = n < rest ? from[n * place.strides[k]] : number(0);
      now.data[k] = reinterpret_cast<std::byte*>(tail.items[k]);
      now.strides[k] = 1;
    };
    (enter(LoadNumber, L.kind == lane::contiguous || L.kind == lane::strided), ...);
    (enter(load_count + StoreNumber, keeps_elements(S)), ...);
  }

  template <int... StoreNumber>
  static void leave_tail(const run_place& place, const tail_memory& tail, std::int64_t i, std::int64_t rest,
                         std::integer_sequence<int, StoreNumber...>) {
    const auto leave = [&](int k, bool moves) {
      if (!moves) return;
      number* to = reinterpret_cast<number*>(place.data[k]) + i * place.strides[k];
      for (std::int64_t n = 0; n < rest; ++n) to[n * place.strides[k]] = tail.items[k][n];
    };
    (leave(load_count + StoreNumber, keeps_elements(S)), ...);
  }

  static constexpr bool keeps_elements(const store_key& s) { return s.reduction < 0 || !InnermostReduced; }

  // Without any element, reductions still have results: what they start from.
  static void fill_empty(const pass_call& call) {
    if (!call.accumulates) fill_stores(call, store_numbers{});
  }
  template <int... StoreNumber>
  static void fill_stores(const pass_call& call, std::integer_sequence<int, StoreNumber...>) {
    (fill_store<S, StoreNumber>(call), ...);
  }
  template <store_key Key, int Number>
  static void fill_store(const pass_call& call) {
    if constexpr (Key.reduction >= 0) {
      using value = storage_of<Key.type>;
      const pass_operand& o = call.operands[load_count + Number];
      std::int64_t count = 1;  // reduced results lie side by side
      for (int d = 0; d < call.rank; ++d)
        if ((call.reduced >> d & 1u) == 0) count *= call.extents[d];
      for (std::int64_t i = 0; i < count; ++i)
        reinterpret_cast<value*>(o.data)[i] =
            static_cast<value>(reduction_rule_at<Key.reduction>::template identity<value>);
    }
  }
};

}  // namespace tapeless::cpu_kernels
