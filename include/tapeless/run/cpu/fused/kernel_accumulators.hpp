// SPDX-License-Identifier: BSL-1.0
// The accumulators of a fused kernel: one for each store that reduces.
#pragma once

#include <algorithm>
#include <limits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/cpu/fused/accumulators.hpp>
#include <tapeless/run/cpu/fused/kernel_functions.hpp>
#include <tapeless/run/cpu/vectors/lanes.hpp>
#include <tapeless/run/cpu/vectors/total_of_lanes.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

template <class Lanes, store_key Key, bool InnermostReduced>
constexpr auto accumulator_of() {
  using value = computed_as<Key.type>;
  if constexpr (Key.reduction < 0) {
    return std::type_identity<no_accumulator>{};
  } else if constexpr (InnermostReduced) {
    using held_type = typename Lanes::template value<Key.type>;
    return std::type_identity<iteration_accumulator<reduction_operation_at<Key.reduction>, held_type>>{};
  } else {
    return std::type_identity<row_accumulator<reduction_operation_at<Key.reduction>, value>>{};
  }
}

template <class Accumulator>
struct running_value {
  using type = no_accumulator;
};
template <class Operation, class Held>
struct running_value<iteration_accumulator<Operation, Held>> {
  using type = Held;
};

}  // namespace detail

/// Sets the result of a fused kernel's operand to what its reduction starts from.
template <element Type, int Reduction>
TAPELESS_COLD void fill_empty(const fused_kernel_arguments& arguments, int operand) {
  if constexpr (Reduction >= 0) {
    using value = storage_of<Type>;
    std::int64_t count = 1;  // reduced results are contiguous
    for (int d = 0; d < arguments.rank; ++d)
      if ((arguments.reduced >> d & 1u) == 0) count *= arguments.extents[d];
    const auto start = reduction_operation_at<Reduction>::template identity<computed_as<Type>>;
    std::fill_n(reinterpret_cast<value*>(arguments.operands[operand].data), count, static_cast<value>(start));
  }
}

/// What accumulators depend on, of a store.
constexpr store_key as_accumulated(const store_key& s) { return {lane::contiguous, s.type, 0, s.reduction}; }
template <class Stores>
struct accumulated;
template <store_key... S>
struct accumulated<store_keys<S...>> {
  using type = store_keys<as_accumulated(S)...>;
};

/// Stores are as_accumulated, so that kernels which differ in other things share this.
template <class Lanes, class Stores, bool InnermostReduced, class StoreNumbers>
struct kernel_accumulators;

template <class Lanes, store_key... S, bool InnermostReduced, int... StoreNumber>
struct kernel_accumulators<Lanes, store_keys<S...>, InnermostReduced,
                           std::integer_sequence<int, StoreNumber...>>
    : kernel_sums,
      register_slot<StoreNumber,
                    typename decltype(detail::accumulator_of<Lanes, S, InnermostReduced>())::type>... {
  static constexpr bool is_wide = !std::is_same_v<Lanes, narrow_lanes>;
  static constexpr bool keeps_elements(const store_key& s) { return s.reduction < 0 || !InnermostReduced; }
  static constexpr bool reduces = ((S.reduction >= 0) || ...), reduces_rows = reduces && !InnermostReduced;
  static constexpr bool adds_up = reduces && InnermostReduced;
  static constexpr bool rounds = ((S.reduction >= 0 && is_half(S.type)) || ...);
  /// So many partial results may be added to one another in the memory of the result.
  static constexpr std::int64_t most_in_memory =
      reduces ? most_sums_in_memory(rounds, InnermostReduced) : std::numeric_limits<std::int64_t>::max();
  /// So many neighbours fit into the accumulators.
  static constexpr std::int64_t tile =
      std::min({tile_bytes, tile_bytes / static_cast<std::int64_t>(sizeof(computed_as<S.type>))...});

  template <store_key Key>
  static auto neutral() {
    return neutral_number<reduction_operation_at<Key.reduction>, computed_as<Key.type>>();
  }
  template <store_key Key, class X>
  static X combine(X a, X b) {
    return static_cast<X>(reduction_operation_at<Key.reduction>::combine(a, b));
  }

  void begin() {
    filled = {};
    (begin_one<S>(held<StoreNumber>(*this)), ...);
  }

  /// What the iterations of the innermost loop add to, where no other memory can be meant: in registers.
  struct running
      : register_slot<
            StoreNumber,
            typename detail::running_value<
                typename decltype(detail::accumulator_of<Lanes, S, InnermostReduced>())::type>::type>... {};
  running in_registers() {
    running now;
    (read_first(held<StoreNumber>(now), held<StoreNumber>(*this)), ...);
    return now;
  }
  void put_back(const running& now) { (write_first(held<StoreNumber>(now), held<StoreNumber>(*this)), ...); }

  /// Adds what an iteration has computed; its first `valid` lanes.
  template <store_key Key, int Number, class Held>
  static void add(running& now, Held x, std::int64_t valid) {
    if constexpr (!keeps_elements(Key)) {
      auto& sum = held<Number>(now);
      if constexpr (is_wide) {
        if (valid != Lanes::width) {
          sum = combine<Key>(sum, first_lanes(x, valid, neutral<Key>()));
          return;
        }
      }
      sum = combine<Key>(sum, x);
    }
  }

  /// After so many iterations.
  void next(int iterations, std::int64_t size) {
    filled.next(iterations, [&](int level, bool empty) {
      (carry<S>(held<StoreNumber>(*this), level, empty, size), ...);
    });
  }

  /// Lets a store add to the first level.
  template <store_key Key, int Number>
  void redirect(operand_place& place) {
    if constexpr (Key.reduction >= 0 && !InnermostReduced) {
      place.data = reinterpret_cast<std::byte*>(held<Number>(*this).first_level());
      place.stride = 1;
    }
  }

  /// Writes the results; along rows, those of `size` neighbours from `begin` on.
  [[gnu::always_inline]] void finish(const operand_place* results, std::int64_t begin, std::int64_t size,
                                     bool first) {
    (finish<S, StoreNumber>(results[StoreNumber], begin, size, first), ...);
  }

  /// Writes the result of a row that is one iteration, of its first `valid` lanes.
  template <store_key Key, class Held>
  [[gnu::always_inline]] static void finish_row(const operand_place& place, Held x, std::int64_t valid,
                                                bool first) {
    if constexpr (!keeps_elements(Key))
      write<Key>(reinterpret_cast<storage_of<Key.type>*>(place.data),
                 over_lanes<Key>(first_lanes(x, valid, neutral<Key>())), first);
  }

  /// Sets the functions of a kernel that reduces.
  static constexpr void set(kernel_functions& f) {
    if constexpr (reduces) {
      f.begin = [](kernel_sums& sums) { own(sums).begin(); };
      f.finish = [](kernel_sums& sums, const operand_place* results, std::int64_t begin, std::int64_t size,
                    bool first) { own(sums).finish(results, begin, size, first); };
      f.most_in_memory = most_in_memory;
      f.fill_empty = [](const fused_kernel_arguments& arguments, int first_store) {
        (cpu_kernels::fill_empty<S.type, S.reduction>(arguments, first_store + StoreNumber), ...);
      };
    }
    if constexpr (reduces_rows) {
      f.redirect = [](kernel_sums& sums, operand_place* results) {
        (own(sums).template redirect<S, StoreNumber>(results[StoreNumber]), ...);
      };
      f.tile = tile;
    }
  }

  static kernel_accumulators& own(kernel_sums& sums) { return static_cast<kernel_accumulators&>(sums); }

 private:
  template <store_key Key, int Number>
  [[gnu::always_inline]] void finish(const operand_place& place, std::int64_t begin, std::int64_t size,
                                     bool first) {
    if constexpr (Key.reduction >= 0) {
      using stored = storage_of<Key.type>;
      const std::int64_t stride = place.stride;
      stored* to = reinterpret_cast<stored*>(place.data) + begin * stride;
      if constexpr (InnermostReduced) {
        write<Key>(to, over_lanes<Key>(held<Number>(*this).total(filled)), first);
      } else if (size > 0) {
        const auto* total = held<Number>(*this).total(filled, size);
        for (std::int64_t i = 0; i < size; ++i) write<Key>(to + i * stride, total[i], first);
      }
    }
  }

  template <store_key Key, class X>
  [[gnu::always_inline]] static void write(storage_of<Key.type>* to, X x, bool first) {
    *to = static_cast<storage_of<Key.type>>(first ? x : combine<Key>(static_cast<X>(*to), x));
  }

  template <store_key Key, class A>
  static void begin_one(A& a) {
    if constexpr (!keeps_elements(Key))
      a.begin(everywhere<typename Lanes::template value<Key.type>>(neutral<Key>()));
  }

  template <class A>
  static void read_first(no_accumulator&, A&) {}
  template <class Held, class A>
  static void read_first(Held& now, A& a) {
    now = a.first_level();
  }
  template <class A>
  static void write_first(const no_accumulator&, A&) {}
  template <class Held, class A>
  static void write_first(const Held& now, A& a) {
    a.first_level() = now;
  }

  template <store_key Key, class A>
  static void carry(A& a, int level, bool empty, std::int64_t size) {
    if constexpr (Key.reduction >= 0) {
      if constexpr (InnermostReduced) {
        a.carry(level, empty, everywhere<typename Lanes::template value<Key.type>>(neutral<Key>()));
      } else {
        a.carry(level, empty, size);
      }
    }
  }

  template <store_key Key, class Held>
  static auto over_lanes(Held total) {
    if constexpr (is_wide) {
      return total_of_lanes<reduction_operation_at<Key.reduction>>(total);
    } else {
      return total;
    }
  }
};

}  // namespace tapeless::cpu_kernels
