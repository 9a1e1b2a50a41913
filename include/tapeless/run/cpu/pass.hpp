// SPDX-License-Identifier: BSL-1.0
// The kernel family of fused passes: element-by-element operations, and reductions of their results, in one
// run over memory. One instance for each description.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include <tapeless/run/cpu/accumulators.hpp>
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

/// Elements that do not fill a vector, on their way to and from memory of a vector's size.
template <class Stored>
void enter_tail(const std::byte* from, std::int64_t i, std::int64_t stride, std::byte* tail,
                std::int64_t rest, std::int64_t width) {
  for (std::int64_t n = 0; n < width; ++n)
    reinterpret_cast<Stored*>(tail)[n] =
        n < rest ? reinterpret_cast<const Stored*>(from)[(i + n) * stride] : Stored(0);
}
template <class Stored>
void leave_tail(std::byte* to, std::int64_t i, std::int64_t stride, const std::byte* tail,
                std::int64_t rest) {
  for (std::int64_t n = 0; n < rest; ++n)
    reinterpret_cast<Stored*>(to)[(i + n) * stride] = reinterpret_cast<const Stored*>(tail)[n];
}

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
    const std::int64_t count = call.rank == 0 ? 1 : call.extents[call.rank - 1];
    std::int64_t outer_count = 1;
    for (int d = 0; d + 1 < call.rank; ++d) outer_count *= call.extents[d];
    if (count * outer_count == 0) return fill_empty(call);

    const outer_loops loops(call, most_in_memory);
    const bool by_tiles = reduces_rows && loops.in_accumulators;
    const std::int64_t size = by_tiles ? least_tile : count;
    std::int64_t position[max_rank] = {};
    accumulators sums;
    do {
      const bool first = !call.accumulates && loops.at_first(call, position);
      for (std::int64_t begin = 0; begin < count; begin += size) {
        const std::int64_t n = begin + size < count ? size : count - begin;
        begin_all(sums, store_numbers{});
        run_place tile;  // the stores that reduce do not move with it
        run_place& here = loops.in_accumulators ? tile : place;
        if (loops.in_accumulators) enter_tile(place, by_tiles, begin, sums, tile, store_numbers{});
        do {
          innermost(call, here, n, by_tiles ? sums.filled.first_is_empty() : first, sums);
          if (by_tiles) next_turns(sums, 1, n, store_numbers{});
        } while (advance(call, here, position, loops.axis + loops.kept, loops.count - loops.kept));
        finish_all(sums, place, begin, n, first, by_tiles, store_numbers{});
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
    if constexpr (keeps_elements(Key)) {
      using stored = target_of<Key>;
      const std::int64_t stride = Key.kind == lane::contiguous ? 1 : place.strides[load_count + Number];
      stored* to = reinterpret_cast<stored*>(place.data[load_count + Number]) + i * stride;
      auto x = held<Key.source>(r);
      if constexpr (Key.reduction >= 0) {
        if (!first) x = combine<Key>(previous(to, stride), x);
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

  template <store_key Key, class X>
  static X combine(X a, X b) {
    return static_cast<X>(reduction_rule_at<Key.reduction>::combine(a, b));
  }

  static constexpr bool keeps_elements(const store_key& s) { return s.reduction < 0 || !InnermostReduced; }
  static constexpr bool reduces = ((S.reduction >= 0) || ...), reduces_rows = reduces && !InnermostReduced;
  static constexpr bool adds_up = reduces && InnermostReduced;
  static constexpr bool rounds = ((S.reduction >= 0 && is_half(S.type)) || ...);
  // What is rounded to 16 bits is not added up in memory at all.
  static constexpr std::int64_t most_in_memory = !reduces ? std::numeric_limits<std::int64_t>::max()
                                                 : rounds ? (InnermostReduced ? 1 : 0)
                                                          : 1024;

  template <store_key Key>
  static constexpr auto accumulator_of() {
    using value = computed_as<Key.type>;
    if constexpr (Key.reduction < 0) {
      return std::type_identity<no_accumulator>{};
    } else if constexpr (InnermostReduced) {
      using held_type = typename lanes::template value<Key.type>;
      return std::type_identity<turn_accumulator<reduction_rule_at<Key.reduction>, held_type>>{};
    } else {
      return std::type_identity<row_accumulator<reduction_rule_at<Key.reduction>, value>>{};
    }
  }
  template <class Numbers>
  struct accumulator_slots;
  template <int... StoreNumber>
  struct accumulator_slots<std::integer_sequence<int, StoreNumber...>>
      : register_slot<StoreNumber, typename decltype(accumulator_of<S>())::type>... {
    level_counts filled;
  };
  using accumulators = accumulator_slots<store_numbers>;
  static constexpr std::int64_t least_tile =
      std::min({tile_bytes, tile_bytes / static_cast<std::int64_t>(sizeof(computed_as<S.type>))...});

  template <store_key Key>
  static auto identity() {
    using value = computed_as<Key.type>;
    return static_cast<value>(reduction_rule_at<Key.reduction>::template identity<value>);
  }

  template <int... StoreNumber>
  static void begin_all(accumulators& sums, std::integer_sequence<int, StoreNumber...>) {
    sums.filled = {};
    (begin<S>(held<StoreNumber>(sums)), ...);
  }
  template <store_key Key, class A>
  static void begin(A& a) {
    if constexpr (!keeps_elements(Key))
      a.begin(everywhere<typename lanes::template value<Key.type>>(identity<Key>()));
  }

  template <store_key Key, class A>
  static void reduce(A& a, std::int64_t valid, turn& r) {
    if constexpr (!keeps_elements(Key)) {
      if constexpr (is_wide) {
        if (valid != lanes::width) return a.add(first_lanes(held<Key.source>(r), valid, identity<Key>()));
      }
      a.add(held<Key.source>(r));
    }
  }

  template <store_key Key, class A>
  static void carry(A& a, int level, bool empty, std::int64_t size) {
    if constexpr (Key.reduction >= 0) {
      if constexpr (InnermostReduced) {
        a.carry(level, empty, everywhere<typename lanes::template value<Key.type>>(identity<Key>()));
      } else {
        a.carry(level, empty, size);
      }
    }
  }

  template <int... StoreNumber>
  static void finish_all(accumulators& sums, const run_place& place, std::int64_t begin, std::int64_t size,
                         bool first, bool by_tiles, std::integer_sequence<int, StoreNumber...>) {
    (finish<S, StoreNumber>(sums, place, begin, by_tiles ? size : 0, first), ...);
  }
  template <store_key Key, int Number>
  static void finish(accumulators& sums, const run_place& place, std::int64_t begin, std::int64_t size,
                     bool first) {
    if constexpr (Key.reduction >= 0) {
      using stored = storage_of<Key.type>;
      const std::int64_t stride = place.strides[load_count + Number];
      stored* to = reinterpret_cast<stored*>(place.data[load_count + Number]) + begin * stride;
      const auto write = [first](stored& target, auto x) {
        target = static_cast<stored>(first ? x : combine<Key>(static_cast<decltype(x)>(target), x));
      };
      if constexpr (InnermostReduced) {
        write(*to, over_lanes<Key>(held<Number>(sums).total(sums.filled)));
      } else if (size > 0) {
        const auto* total = held<Number>(sums).total(sums.filled, size);
        for (std::int64_t i = 0; i < size; ++i) write(to[i * stride], total[i]);
      }
    }
  }
  template <store_key Key, class Held>
  static auto over_lanes(Held total) {
    if constexpr (is_wide) {
      number all[lanes::width], result = identity<Key>();
      store(all, total);
      for (number x : all) result = combine<Key>(result, x);
      return result;
    } else {
      return total;
    }
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
    if (by_tiles) (redirect<S, StoreNumber>(place, sums), ...);
  }
  template <store_key Key, int Number>
  static void redirect(run_place& place, accumulators& sums) {
    if constexpr (Key.reduction >= 0 && !InnermostReduced) {
      place.data[load_count + Number] = reinterpret_cast<std::byte*>(held<Number>(sums).first_level());
      place.strides[load_count + Number] = 1;
    }
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
      const std::int64_t end = adds_up ? std::min(count, t + sums.filled.room()) : count;
      for (; t < end; ++t) {
        const std::int64_t i = t * lanes::width;
        (load_each<L, LoadNumber>(place, i, r), ...);
        (execute<I, InstructionNumber>(r), ...);
        (store_each<S, StoreNumber>(place, i, first, r), ...);
        if constexpr (adds_up) (reduce<S>(held<StoreNumber>(sums), valid, r), ...);
      }
      if constexpr (adds_up) next_turns(sums, static_cast<int>(end - begin), 0, store_numbers{});
    }
  }

  template <int... StoreNumber>
  static void next_turns(accumulators& sums, int turns, std::int64_t size,
                         std::integer_sequence<int, StoreNumber...>) {
    sums.filled.next(
        turns, [&](int level, bool empty) { (carry<S>(held<StoreNumber>(sums), level, empty, size), ...); });
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
    (move(std::type_identity<target_of<S>>{}, load_count + StoreNumber, keeps_elements(S)), ...);
  }

  template <int... StoreNumber>
  static void leave(const run_place& place, const tail_memory& tail, std::int64_t i, std::int64_t rest,
                    std::integer_sequence<int, StoreNumber...>) {
    (leave_tail<target_of<S>>(place.data[load_count + StoreNumber], i,
                              place.strides[load_count + StoreNumber], tail.items[load_count + StoreNumber],
                              keeps_elements(S) ? rest : 0),
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
        reinterpret_cast<value*>(o.data)[i] = static_cast<value>(identity<Key>());
    }
  }
};

}  // namespace tapeless::cpu_kernels
