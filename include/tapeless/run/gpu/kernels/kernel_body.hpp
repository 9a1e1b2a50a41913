// SPDX-License-Identifier: BSL-1.0
// What one thread does for one element of a fused kernel, or for a few neighbours: loads, instructions,
// stores. Functions are constexpr so that a GPU's code may call them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/common/registers.hpp>
#include <tapeless/run/gpu/kernels/pieces.hpp>

namespace tapeless::thrust_kernels {

/// Neighbours in memory that one instruction loads or stores.
template <class T, int Width>
struct alignas(sizeof(T) * Width) chunk {
  T items[Width];
};

namespace detail {

/// Where the operands of a body are kept.
struct operand_memory {
  std::byte** data;
  double* number;
  std::int64_t* first_index;
  std::int64_t* strides;  // [count, rank]
  std::int64_t* innermost;
  int count, loads, rank;
};

inline void set_operands(const operand_memory& to, const kernel_piece& piece, int width) {
  const int rank = piece.arguments.rank;
  for (int k = 0; k < to.count; ++k) {
    const fused_kernel_operand& o = piece.arguments.operands[k];
    to.data[k] = piece.data(k);
    std::int64_t* strides = to.strides + k * to.rank;
    for (int d = 0; d < rank && d < to.rank; ++d) strides[d] = o.strides[d] * (d + 1 == rank ? width : 1);
    to.innermost[k] = rank == 0 ? 0 : o.strides[rank - 1];
    if (k >= to.loads) continue;
    to.number[k] = o.number;
    to.first_index[k] = o.first_index + piece.offset(o);
  }
}

}  // namespace detail

/// A fused kernel of at most Rank loops.
template <class KernelKey, int Rank>
struct kernel_body;

template <load_key... L, instruction_key... I, store_key... S, bool InnermostReduced, int Rank>
struct kernel_body<kernel_key<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, InnermostReduced>,
                   Rank> {
  static constexpr int rank = Rank;
  static constexpr int load_count = sizeof...(L), store_count = sizeof...(S);
  static constexpr int count = load_count + store_count;
  static constexpr bool innermost_reduced = InnermostReduced;
  using load_numbers = std::make_integer_sequence<int, load_count>;
  using instruction_numbers = std::make_integer_sequence<int, static_cast<int>(sizeof...(I))>;
  using store_numbers = std::make_integer_sequence<int, store_count>;
  using values =
      registers<narrow_lanes, load_keys<L...>, instruction_keys<I...>, load_numbers, instruction_numbers>;
  using stores = store_keys<S...>;

  /// Which operands have neighbours that are loaded or stored together, and how many of these fit into 16
  /// bytes of each.
  struct neighbourhood {
    bool is_contiguous[count + 1];
    int widest;
  };
  static constexpr neighbourhood neighbourhood_of(bool with_reductions) {
    neighbourhood n{{L.kind == lane::contiguous...,
                     (S.kind == lane::contiguous && (with_reductions || S.reduction < 0))..., false},
                    0};
    constexpr std::size_t sizes[] = {size_of(L.type)..., size_of(S.type)..., 0};
    std::size_t largest = 2;
    for (int k = 0; k < count; ++k)
      if (n.is_contiguous[k]) largest = std::max(largest, sizes[k]);
    n.widest = static_cast<int>(16 / largest);
    return n;
  }
  /// Where reductions go on from what is in memory, and where they are left to the caller.
  static constexpr neighbourhood in_memory = neighbourhood_of(true), unreduced = neighbourhood_of(false);

  /// The operands by value, so that they travel with the kernel.
  struct operands {
    std::byte* data[count + 1] = {};
    double number[load_count + 1] = {};
    std::int64_t first_index[load_count + 1] = {};
    std::int64_t strides[count + 1][Rank] = {};
    std::int64_t innermost[count + 1] = {};  // from one neighbour to the next

    operands() = default;
    /// Those of a piece, whose innermost loop goes on by `width` neighbours.
    explicit operands(const kernel_piece& piece, int width = 1) {
      detail::set_operands({data, number, first_index, strides[0], innermost, count, load_count, Rank}, piece,
                           width);
    }
  };

  /// How far an element is from the start of each operand.
  struct place {
    std::int64_t at[count + 1] = {};

    /// Moves to item number `item` of a space whose axes are the operands' from `first` on: at most Rank.
    /// Where Neighbours are given, the last axis is the innermost loop, and an item along it is as many
    /// neighbours: what the kernel key says of the operands then saves products of 64 bits.
    template <int Neighbours = 0>
    constexpr void move(const operands& o, const index_space& space, int first, std::uint32_t item) {
      int d = (space.rank < Rank - first ? space.rank : Rank - first) - 1;
      if (d < 0) return;
      if constexpr (Neighbours > 0) {
        if (d == 0) return move_along<Neighbours>(o, first, item);
        const std::uint32_t rest = space.extents[d].quotient(item);
        move_along<Neighbours>(o, first + d, item - rest * space.extents[d].value());
        item = rest;
        --d;
      }
      if constexpr (Rank > 1) {
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
        for (; d > 0; --d) {
          const std::uint32_t rest = space.extents[d].quotient(item);
          step(o, first + d, item - rest * space.extents[d].value());
          item = rest;
        }
      }
      step(o, first, item);
    }

    /// Moves by so many items along one axis, which is as above.
    template <int Neighbours = 0>
    constexpr void move_along(const operands& o, int axis, std::uint32_t items) {
      if constexpr (Neighbours == 0) {
        step(o, axis, items);
      } else {
        step_innermost<Neighbours>(o, axis, items, load_numbers{}, store_numbers{});
      }
    }

    constexpr void move_to_neighbour(const operands& o) {
      for (int k = 0; k < count; ++k) at[k] += o.innermost[k];
    }

   private:
    constexpr void step(const operands& o, int axis, std::uint32_t iterations) {
      for (int k = 0; k < count; ++k) at[k] += std::int64_t{iterations} * o.strides[k][axis];
    }
    template <int Neighbours, int... LoadNumber, int... StoreNumber>
    constexpr void step_innermost(const operands& o, int axis, std::uint32_t iterations,
                                  std::integer_sequence<int, LoadNumber...>,
                                  std::integer_sequence<int, StoreNumber...>) {
      (step_one<L.kind, Neighbours>(o, LoadNumber, axis, iterations), ...);
      (step_one<S.kind, Neighbours>(o, load_count + StoreNumber, axis, iterations), ...);
    }
    template <lane Kind, int Neighbours>
    constexpr void step_one(const operands& o, int k, int axis, std::uint32_t iterations) {
      if constexpr (Kind == lane::contiguous) {
        at[k] += std::int64_t{iterations} * Neighbours;
      } else if constexpr (Kind != lane::broadcast && Kind != lane::number) {
        at[k] += std::int64_t{iterations} * o.strides[k][axis];
      }
    }
  };

  /// Computes Width neighbours; `p` is the first one's place. Reductions go on from what is in memory.
  template <int Width>
  static constexpr void compute_neighbours(const operands& o, const place& p) {
    neighbours<Width, true>(o, p, [](values&) {}, load_numbers{}, store_numbers{});
  }
  /// The same, but stores that reduce are left to the caller: see(values) is called for each neighbour.
  template <int Width, class See>
  static constexpr void compute_neighbours(const operands& o, const place& p, const See& see) {
    neighbours<Width, false>(o, p, see, load_numbers{}, store_numbers{});
  }

 private:
  template <element Type>
  static constexpr const storage_of<Type>* address(const operands& o, const place& p, int k) {
    return static_cast<const storage_of<Type>*>(static_cast<const void*>(o.data[k])) + p.at[k];
  }
  template <element Type>
  static constexpr storage_of<Type>* target(const operands& o, const place& p, int k) {
    return static_cast<storage_of<Type>*>(static_cast<void*>(o.data[k])) + p.at[k];
  }

  template <load_key Key>
  static constexpr computed_as<Key.type> load(const operands& o, const place& p, int k,
                                              std::int64_t neighbour) {
    using value = computed_as<Key.type>;
    if constexpr (Key.kind == lane::number) {
      return convert<value>(o.number[k]);
    } else if constexpr (Key.kind == lane::index) {
      return static_cast<value>(o.first_index[k] + p.at[k] + neighbour * o.innermost[k]);
    } else {
      return static_cast<value>(address<Key.type>(o, p, k)[neighbour * o.innermost[k]]);
    }
  }
  template <store_key Key, class T, class Value>
  static constexpr void store(T& to, const Value& x) {
    using value = computed_as<Key.type>;
    if constexpr (Key.reduction >= 0) {
      to = static_cast<T>(
          reduction_operation_at<Key.reduction>::combine(static_cast<value>(to), static_cast<value>(x)));
    } else if constexpr (std::is_same_v<T, Value>) {
      to = x;
    } else {
      to = static_cast<T>(static_cast<value>(x));
    }
  }

  template <int... InstructionNumber>
  static constexpr void execute_all(values& r, std::integer_sequence<int, InstructionNumber...>) {
    (execute<I, InstructionNumber>(r), ...);
  }
  // The chunks of the operands that have neighbours; the others are loaded and stored one by one.
  template <int Width, class LoadNumbers, class StoreNumbers>
  struct chunks;
  template <int Width, int... LoadNumber, int... StoreNumber>
  struct chunks<Width, std::integer_sequence<int, LoadNumber...>, std::integer_sequence<int, StoreNumber...>>
      : register_slot<-1 - LoadNumber, chunk<storage_of<L.type>, L.kind == lane::contiguous ? Width : 1>>...,
        register_slot<StoreNumber, chunk<storage_of<S.type>, S.kind == lane::contiguous ? Width : 1>>... {};

  template <int Width, bool ReducesInMemory, class See, int... LoadNumber, int... StoreNumber>
  static constexpr void neighbours(const operands& o, const place& p, const See& see,
                                   std::integer_sequence<int, LoadNumber...>,
                                   std::integer_sequence<int, StoreNumber...>) {
    chunks<Width, load_numbers, store_numbers> c;
    (fetch<(L.kind == lane::contiguous)>(held<-1 - LoadNumber>(c), o.data[LoadNumber], p.at[LoadNumber]),
     ...);
    (fetch<(ReducesInMemory && S.reduction >= 0 && S.kind == lane::contiguous)>(
         held<StoreNumber>(c), o.data[load_count + StoreNumber], p.at[load_count + StoreNumber]),
     ...);
    for (int n = 0; n < Width; ++n) {
      values r;
      ((held<-1 - LoadNumber>(r) =
            L.kind == lane::contiguous
                ? static_cast<computed_as<L.type>>(
                      held<-1 - LoadNumber>(c).items[L.kind == lane::contiguous ? n : 0])
                : load<L>(o, p, LoadNumber, n)),
       ...);
      execute_all(r, instruction_numbers{});
      see(r);
      (put<S, (ReducesInMemory || S.reduction < 0)>(o, p, held<StoreNumber>(c), load_count + StoreNumber, n,
                                                    stored_value<S>(o, p, c, n, held<S.source>(r))),
       ...);
    }
    (flush<(S.kind == lane::contiguous && (ReducesInMemory || S.reduction < 0))>(
         held<StoreNumber>(c), o.data[load_count + StoreNumber], p.at[load_count + StoreNumber]),
     ...);
  }
  // What a store gets: the value, or of a copy of 16 bits these themselves, which may be part of something
  // else. An attention's terms of each row are floats behind it.
  static constexpr load_key loads[load_count + 1] = {L..., load_key{}};
  static constexpr instruction_key instructions[sizeof...(I) + 1] = {I..., instruction_key{}};
  static constexpr int copied_load(store_key key) {
    int source = key.source;
    while (source >= 0 && instructions[source].code == copy_code && instructions[source].type == key.type)
      source = instructions[source].a;
    if (source >= 0 || key.reduction >= 0) return -1;
    const load_key& from = loads[-1 - source];
    const bool is_in_memory = from.kind != lane::number && from.kind != lane::index;
    return is_in_memory && from.type == key.type ? -1 - source : -1;
  }
  template <store_key Key, class Chunks, class Value>
  static constexpr auto stored_value(const operands& o, const place& p, const Chunks& c, int n,
                                     const Value& x) {
    constexpr int from = is_16_bit<storage_of<Key.type>> ? copied_load(Key) : -1;
    if constexpr (from < 0) {
      return x;
    } else if constexpr (loads[from].kind == lane::contiguous) {
      return held<-1 - from>(c).items[n];
    } else {
      return address<Key.type>(o, p, from)[n * o.innermost[from]];
    }
  }
  template <store_key Key, bool InMemory, class Chunk, class Value>
  static constexpr void put(const operands& o, const place& p, Chunk& c, int k, int n, const Value& x) {
    if constexpr (!InMemory) {
      return;
    } else if constexpr (Key.kind == lane::contiguous) {
      store<Key>(c.items[n], x);
    } else {
      store<Key>(target<Key.type>(o, p, k)[n * o.innermost[k]], x);
    }
  }
  template <bool Whole, class T, int Width>
  static constexpr void fetch(chunk<T, Width>& c, const std::byte* data, std::int64_t at) {
    if constexpr (Whole)
      c = *static_cast<const chunk<T, Width>*>(static_cast<const void*>(data + at * std::int64_t{sizeof(T)}));
  }
  template <bool Whole, class T, int Width>
  static constexpr void flush(const chunk<T, Width>& c, std::byte* data, std::int64_t at) {
    if constexpr (Whole)
      *static_cast<chunk<T, Width>*>(static_cast<void*>(data + at * std::int64_t{sizeof(T)})) = c;
  }
};

}  // namespace tapeless::thrust_kernels
