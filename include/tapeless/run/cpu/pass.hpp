// SPDX-License-Identifier: BSL-1.0
// The kernel family of fused passes: element-by-element operations, and reductions of their results, in one
// run over memory. One instance for each description.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tapeless/run/calls.hpp>
#include <tapeless/run/cpu/pass_accumulators.hpp>
#include <tapeless/run/cpu/tail.hpp>

namespace tapeless::cpu_kernels {

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

  using accumulators = pass_accumulators<lanes, store_keys<S...>, InnermostReduced, store_numbers>;

  static void run(const pass_call& call) {
    run_place place;
    for (int k = 0; k < load_count + store_count; ++k) {
      place.data[k] = call.operands[k].data;
      place.strides[k] = call.rank == 0 ? 0 : call.operands[k].strides[call.rank - 1];
    }
    for (int k = 0; k < load_count; ++k) place.index[k] = call.operands[k].first_index;
    const std::int64_t count = call.rank == 0 ? 1 : call.extents[call.rank - 1];
    std::int64_t outer_count = 1;
    for (int d = 0; d + 1 < call.rank; ++d) outer_count *= call.extents[d];
    if (count * outer_count == 0) return fill_empty(call);

    const outer_loops loops(call, accumulators::most_in_memory);
    const bool by_tiles = accumulators::reduces_rows && loops.in_accumulators;
    const std::int64_t size = by_tiles ? accumulators::tile : count;
    std::int64_t position[max_rank] = {};
    accumulators sums;
    do {
      const bool first = !call.accumulates && loops.at_first(call, position);
      for (std::int64_t begin = 0; begin < count; begin += size) {
        const std::int64_t n = begin + size < count ? size : count - begin;
        sums.begin();
        run_place tile;  // the stores that reduce do not move with it
        run_place& here = loops.in_accumulators ? tile : place;
        if (loops.in_accumulators) enter_tile(place, by_tiles, begin, sums, tile, store_numbers{});
        do {
          innermost(call, here, n, by_tiles ? sums.filled.first_is_empty() : first, sums);
          if (by_tiles) sums.next(1, n);
        } while (advance(call, here, position, loops.axis + loops.kept, loops.count - loops.kept));
        finish_all(sums, place, begin, by_tiles ? n : 0, first, store_numbers{});
      }
    } while (advance(call, place, position, loops.axis, loops.kept));
  }

 private:
  /// Where the operands of a run of turns start, and how far their elements are apart.
  struct run_place {
    std::byte* data[load_count + store_count + 1];
    std::int64_t strides[load_count + store_count + 1];
    std::int64_t index[load_count + 1];
  };

  // In bytes; numbers and indices have no memory to move in.
  static constexpr std::int64_t element_sizes[] = {
      L.kind == lane::number || L.kind == lane::index ? 0 : static_cast<std::int64_t>(size_of(L.type))...,
      static_cast<std::int64_t>(size_of(S.type))..., 0};

  // Moves all operands by so many turns of loop d.
  static void step(const pass_call& call, run_place& place, int d, std::int64_t count) {
    for (int k = 0; k < load_count + store_count; ++k) {
      const std::int64_t elements = count * call.operands[k].strides[d];
      place.data[k] += elements * element_sizes[k];
      if (k < load_count) place.index[k] += elements;
    }
  }

  // The next turn of n loops; false where they are at their start again.
  static bool advance(const pass_call& call, run_place& place, std::int64_t* position, const int* axes,
                      int n) {
    for (int j = n - 1; j >= 0; --j) {
      const int d = axes[j];
      step(call, place, d, 1);
      if (++position[d] < call.extents[d]) return true;
      step(call, place, d, -call.extents[d]);
      position[d] = 0;
    }
    return false;
  }

  // Loads that do not change within the innermost loop.
  template <load_key Key, int Number>
  static void load_before(const pass_call& call, const run_place& place, turn& r) {
    using value = computed_as<Key.type>;
    if constexpr (Key.kind == lane::number || Key.kind == lane::broadcast) {
      const value x = [&] {
        if constexpr (Key.kind == lane::number) return static_cast<value>(call.operands[Number].number);
        return static_cast<value>(*reinterpret_cast<const storage_of<Key.type>*>(place.data[Number]));
      }();
      held<-1 - Number>(r) = everywhere<typename lanes::template value<Key.type>>(x);
    }
  }

  // Loads for the elements from i on.
  template <load_key Key, int Number>
  static void load_each(const run_place& place, std::int64_t i, turn& r) {
    using value = computed_as<Key.type>;
    using stored = storage_of<Key.type>;
    if constexpr (Key.kind == lane::index) {
      held<-1 - Number>(r) = static_cast<value>(place.index[Number] + i * place.strides[Number]);
    } else if constexpr (Key.kind == lane::contiguous || Key.kind == lane::strided) {
      const std::int64_t stride = Key.kind == lane::contiguous ? 1 : place.strides[Number];
      const stored* from = reinterpret_cast<const stored*>(place.data[Number]) + i * stride;
      if constexpr (!is_wide) {
        held<-1 - Number>(r) = static_cast<value>(*from);
      } else if constexpr (!std::is_same_v<stored, value>) {
        held<-1 - Number>(r) = load_as<value>(from, stride);
      } else if constexpr (Key.kind == lane::contiguous) {
        held<-1 - Number>(r) = load(from);
      } else {
        held<-1 - Number>(r) = load(from, stride);
      }
    }
  }

  // What a store's target holds: sums are in the memory of the result only where no precision is lost.
  template <store_key Key>
  using target_of = std::conditional_t<(Key.reduction >= 0), computed_as<Key.type>, storage_of<Key.type>>;

  // Stores that do not reduce over the innermost loop.
  template <store_key Key, int Number>
  static void store_each(const run_place& place, std::int64_t i, bool first, turn& r) {
    if constexpr (accumulators::keeps_elements(Key)) {
      using stored = target_of<Key>;
      const std::int64_t stride = Key.kind == lane::contiguous ? 1 : place.strides[load_count + Number];
      stored* to = reinterpret_cast<stored*>(place.data[load_count + Number]) + i * stride;
      auto x = held<Key.source>(r);
      if constexpr (Key.reduction >= 0) {
        if (!first) x = accumulators::template combine<Key>(previous(to, stride), x);
      }
      if constexpr (!is_wide) {
        *to = static_cast<stored>(x);
      } else if constexpr (!std::is_same_v<stored, number>) {
        store_as(to, stride, x);
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

  template <int... StoreNumber>
  static void finish_all(accumulators& sums, const run_place& place, std::int64_t begin, std::int64_t size,
                         bool first, std::integer_sequence<int, StoreNumber...>) {
    (sums.template finish<S, StoreNumber>(place.data[load_count + StoreNumber],
                                          place.strides[load_count + StoreNumber], begin, size, first),
     ...);
  }

  // From `begin` on; the stores that reduce add to the first level of their accumulators.
  template <int... StoreNumber>
  static void enter_tile(const run_place& whole, bool by_tiles, std::int64_t begin, accumulators& sums,
                         run_place& place, std::integer_sequence<int, StoreNumber...>) {
    place = whole;
    for (int k = 0; k < load_count + store_count; ++k) {
      place.data[k] += begin * place.strides[k] * element_sizes[k];
      if (k < load_count) place.index[k] += begin * place.strides[k];
    }
    if (!by_tiles) return;
    (sums.template redirect<S, StoreNumber>(place.data[load_count + StoreNumber],
                                            place.strides[load_count + StoreNumber]),
     ...);
  }
  // Turns of the innermost loop; in each, the first `valid` lanes hold elements.
  template <int... LoadNumber, int... InstructionNumber, int... StoreNumber>
  static void turns(const pass_call& call, const run_place& place, std::int64_t count, std::int64_t valid,
                    bool first, accumulators& sums, std::integer_sequence<int, LoadNumber...>,
                    std::integer_sequence<int, InstructionNumber...>,
                    std::integer_sequence<int, StoreNumber...>) {
    turn r;
    (load_before<L, LoadNumber>(call, place, r), ...);
    for (std::int64_t t = 0; t < count;) {
      const std::int64_t begin = t;
      const std::int64_t end = accumulators::adds_up ? std::min(count, t + sums.filled.room()) : count;
      for (; t < end; ++t) {
        const std::int64_t i = t * lanes::width;
        (load_each<L, LoadNumber>(place, i, r), ...);
        (execute<I, InstructionNumber>(r), ...);
        (store_each<S, StoreNumber>(place, i, first, r), ...);
        if constexpr (accumulators::adds_up) (sums.template add<S, StoreNumber>(r, valid), ...);
      }
      if constexpr (accumulators::adds_up) sums.next(static_cast<int>(end - begin), 0);
    }
  }

  // The elements that do not fill a vector go through one turn in memory of their own, so that no turn has to
  // look at how many there are. One call of turns() serves both, so that it is compiled once.
  static void innermost(const pass_call& call, const run_place& place, std::int64_t count, bool first,
                        accumulators& sums) {
    const std::int64_t full = count / lanes::width, rest = count % lanes::width;
    tail_memory tail;
    run_place now = place;
    for (bool in_tail = false;; in_tail = true) {
      turns(call, now, in_tail ? 1 : full, in_tail ? rest : lanes::width, first, sums, load_numbers{},
            instruction_numbers{}, store_numbers{});
      if constexpr (is_wide) {
        if (in_tail) return leave(place, tail, full * lanes::width, rest, store_numbers{});
        if (rest == 0) return;
        enter(now, tail, full * lanes::width, rest, load_numbers{}, store_numbers{});
      } else {
        return;
      }
    }
  }

  template <class Number>
  struct memory_of_one_turn {
    alignas(Number) std::byte items[load_count + store_count + 1][lanes::width * sizeof(Number)];
  };
  using tail_memory =
      typename std::conditional_t<is_wide, memory_of_one_turn<number>, std::type_identity<void>>;

  // Lets the next turn find its elements in the tail's memory.
  template <int... LoadNumber, int... StoreNumber>
  static void enter(run_place& place, tail_memory& tail, std::int64_t i, std::int64_t rest,
                    std::integer_sequence<int, LoadNumber...>, std::integer_sequence<int, StoreNumber...>) {
    const auto move = [&]<class Stored>(std::type_identity<Stored>, int k, bool moves) {
      if (!moves) return;
      enter_tail<Stored>(place.data[k], i, place.strides[k], tail.items[k], rest, lanes::width);
      place.data[k] = tail.items[k];
      place.strides[k] = 1;
    };
    (move(std::type_identity<storage_of<L.type>>{}, LoadNumber,
          L.kind == lane::contiguous || L.kind == lane::strided),
     ...);
    (move(std::type_identity<target_of<S>>{}, load_count + StoreNumber, accumulators::keeps_elements(S)),
     ...);
  }

  template <int... StoreNumber>
  static void leave(const run_place& place, const tail_memory& tail, std::int64_t i, std::int64_t rest,
                    std::integer_sequence<int, StoreNumber...>) {
    const auto move = [&]<class Stored>(std::type_identity<Stored>, int k) {
      leave_tail<Stored>(place.data[k], i, place.strides[k], tail.items[k], rest);
    };
    ((accumulators::keeps_elements(S) ? move(std::type_identity<target_of<S>>{}, load_count + StoreNumber)
                                      : void()),
     ...);
  }

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
        reinterpret_cast<value*>(o.data)[i] = static_cast<value>(accumulators::template identity<Key>());
    }
  }
};

}  // namespace tapeless::cpu_kernels
