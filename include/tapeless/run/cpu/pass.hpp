// SPDX-License-Identifier: BSL-1.0
// The kernel family of fused passes: element-by-element operations, and reductions of their results, in one
// run over memory. One instance for each description.
#pragma once

#include <cstddef>
#include <tuple>

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
    std::byte* data[load_count + store_count + 1];
    std::int64_t index[load_count + 1] = {};
    for (int k = 0; k < load_count + store_count; ++k) data[k] = call.operands[k].data;
    for (int k = 0; k < load_count; ++k) index[k] = call.operands[k].first_index;
    const int inner = call.rank - 1;
    const std::int64_t count = call.rank == 0 ? 1 : call.extents[inner];
    std::int64_t outer_count = 1;
    for (int d = 0; d < inner; ++d) outer_count *= call.extents[d];
    if (count * outer_count == 0) return fill_empty(call);

    std::int64_t position[max_rank] = {};
    while (true) {
      bool first = true;  // the first visit of the elements that the stores reduce into
      for (int d = 0; d < inner; ++d) first = first && ((call.reduced >> d & 1u) == 0 || position[d] == 0);
      innermost(call, data, index, count, first, load_numbers{}, instruction_numbers{}, store_numbers{});
      int d = inner - 1;
      for (; d >= 0; --d) {
        step(call, data, index, d, 1, load_numbers{}, store_numbers{});
        if (++position[d] < call.extents[d]) break;
        step(call, data, index, d, -call.extents[d], load_numbers{}, store_numbers{});
        position[d] = 0;
      }
      if (d < 0) return;
    }
  }

 private:
  template <int... LoadNumber, int... StoreNumber>
  static void step(const pass_call& call, std::byte** data, std::int64_t* index, int d, std::int64_t turns,
                   std::integer_sequence<int, LoadNumber...>, std::integer_sequence<int, StoreNumber...>) {
    ((data[LoadNumber] +=
      turns * call.operands[LoadNumber].strides[d] * static_cast<std::int64_t>(size_of(L.type))),
     ...);
    ((index[LoadNumber] += turns * call.operands[LoadNumber].strides[d]), ...);
    ((data[load_count + StoreNumber] += turns * call.operands[load_count + StoreNumber].strides[d] *
                                        static_cast<std::int64_t>(size_of(S.type))),
     ...);
  }

  static std::int64_t inner_stride(const pass_call& call, int k) {
    return call.rank == 0 ? 0 : call.operands[k].strides[call.rank - 1];
  }

  // Loads that do not change within the innermost loop.
  template <load_key Key, int Number>
  static void load_before(const pass_call& call, std::byte* const* data, turn& r) {
    using value = storage_of<Key.type>;
    if constexpr (Key.kind == lane::number || Key.kind == lane::broadcast) {
      const value x = [&] {
        if constexpr (Key.kind == lane::number) return static_cast<value>(call.operands[Number].number);
        return *reinterpret_cast<const value*>(data[Number]);
      }();
      if constexpr (is_wide) {
        held<-1 - Number>(r) = splat<number>(static_cast<number>(x));
      } else {
        held<-1 - Number>(r) = x;
      }
    }
  }

  // Loads for the elements from i on; there are `count` of them, at most the lanes' width.
  template <load_key Key, int Number>
  static void load_each(const pass_call& call, std::byte* const* data, const std::int64_t* index,
                        std::int64_t i, std::int64_t count, turn& r) {
    using value = storage_of<Key.type>;
    const std::int64_t stride = Key.kind == lane::contiguous ? 1 : inner_stride(call, Number);
    if constexpr (Key.kind == lane::index) {
      held<-1 - Number>(r) = static_cast<value>(index[Number] + i * stride);
    } else if constexpr (Key.kind == lane::contiguous || Key.kind == lane::strided) {
      const value* from = reinterpret_cast<const value*>(data[Number]) + i * stride;
      if constexpr (!is_wide) {
        held<-1 - Number>(r) = *from;
      } else if (count < lanes::width) {
        held<-1 - Number>(r) = load_first(from, stride, count);
      } else if constexpr (Key.kind == lane::contiguous) {
        held<-1 - Number>(r) = load(from);
      } else {
        held<-1 - Number>(r) = load(from, stride);
      }
    }
  }

  // Stores that do not reduce over the innermost loop.
  template <store_key Key, int Number>
  static void store_each(const pass_call& call, std::byte* const* data, std::int64_t i, std::int64_t count,
                         bool first, turn& r) {
    if constexpr (Key.reduction < 0 || !InnermostReduced) {
      using value = storage_of<Key.type>;
      const std::int64_t stride = Key.kind == lane::contiguous ? 1 : inner_stride(call, load_count + Number);
      value* to = reinterpret_cast<value*>(data[load_count + Number]) + i * stride;
      auto x = held<Key.source>(r);
      if constexpr (Key.reduction >= 0) {
        if (!first) x = combine<Key>(previous<value>(to, stride, count), x);
      }
      if constexpr (!is_wide) {
        *to = x;
      } else if (count < lanes::width) {
        store_first(to, stride, count, x);
      } else if constexpr (Key.kind == lane::contiguous) {
        store(to, x);
      } else {
        store(to, stride, x);
      }
    }
  }

  template <class Value>
  static auto previous(const Value* from, std::int64_t stride, std::int64_t count) {
    if constexpr (is_wide) {
      return count < lanes::width || stride != 1 ? load_first(from, stride, count) : load(from);
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
  static void reduce(accumulator<Key>& a, std::int64_t count, turn& r) {
    if constexpr (Key.reduction >= 0 && InnermostReduced) {
      if (count == lanes::width) {
        a.block = combine<Key>(a.block, held<Key.source>(r));
      } else if constexpr (is_wide) {
        number all[lanes::width];
        store(all, held<Key.source>(r));
        for (std::int64_t i = 0; i < count; ++i) a.rest = combine<Key>(a.rest, all[i]);
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

  template <int... LoadNumber, int... InstructionNumber, int... StoreNumber>
  static void innermost(const pass_call& call, std::byte* const* data, const std::int64_t* index,
                        std::int64_t count, bool first, std::integer_sequence<int, LoadNumber...>,
                        std::integer_sequence<int, InstructionNumber...>,
                        std::integer_sequence<int, StoreNumber...>) {
    turn r;
    auto sums = std::make_tuple(accumulator<S>{}...);
    (begin<S>(std::get<StoreNumber>(sums)), ...);
    (load_before<L, LoadNumber>(call, data, r), ...);
    std::int64_t turns = 0;
    for (std::int64_t i = 0; i < count; i += lanes::width) {
      const std::int64_t here = count - i < lanes::width ? count - i : lanes::width;
      (load_each<L, LoadNumber>(call, data, index, i, here, r), ...);
      (execute<I, InstructionNumber>(r), ...);
      (store_each<S, StoreNumber>(call, data, i, here, first, r), ...);
      (reduce<S>(std::get<StoreNumber>(sums), here, r), ...);
      if constexpr (InnermostReduced)
        if (++turns % block_turns == 0) (end_block<S>(std::get<StoreNumber>(sums)), ...);
    }
    (finish<S, StoreNumber>(std::get<StoreNumber>(sums), data, first), ...);
  }

  // Without any element, reductions still have results: what they start from.
  static void fill_empty(const pass_call& call) { fill_stores(call, store_numbers{}); }
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
