// SPDX-License-Identifier: BSL-1.0
// A fused kernel as nested loops with constant extents and strides: what is reduced comes innermost, so that
// sums stay in registers. The last axis goes in vectors where the machine has them, with the same bits: its
// elements are summed up in so many parts everywhere, or in the lanes of tables' vectors.
#pragma once

#include <bit>
#include <cstddef>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_instruction.hpp>
#include <tapeless/run/bare/bare_loop_order.hpp>
#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/bare/bare_order_of_sums.hpp>
#include <tapeless/run/bare/bare_shape.hpp>
#include <tapeless/run/bare/bare_sums.hpp>
#include <tapeless/run/bare/bare_wide.hpp>
#include <tapeless/run/common/common_number.hpp>
#include <tapeless/run/common/registers.hpp>

namespace tapeless::bare_kernels {

namespace detail {

/// How a fused kernel goes along its last axis.
enum class along_last {
  one_by_one,
  in_vectors,  // each element is a result of its own
  in_parts,    // one result is the sum of all; see bare_sums.hpp
  in_lanes     // the same; see order_of_sums.hpp
};

/// What stands for sums of which there is only one so far.
struct only_one {};

template <int Number, class Value>
struct sum_slot {
  Value sum;
};
template <int Number, class Value>
constexpr Value& sum_in(sum_slot<Number, Value>& slot) {
  return slot.sum;
}

}  // namespace detail

/// A kernel of this key (a pointer to it) and shape. Vectors have the lanes, and so the functions, of
/// Arithmetic, and sums have its order.
template <class Key, auto Shape, class Arithmetic = own_arithmetic>
struct bare_fused_kernel;

template <load_key... L, instruction_key... I, store_key... S, bool InnermostReduced, auto Shape,
          class Arithmetic>
struct bare_fused_kernel<
    kernel_key<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, InnermostReduced>*, Shape,
    Arithmetic> {
  /// The number is in which iteration of the plan's loop this is or, where the nest is open, how many places
  /// it has more.
  [[gnu::always_inline]] static void run(std::byte* const* operands, std::ptrdiff_t number) {
    outer<0>({operands, number});
  }

 private:
  using key = kernel_key<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, InnermostReduced>;
  using number = typename common_number<key, true>::type;
  using load_numbers = std::make_integer_sequence<int, static_cast<int>(sizeof...(L))>;
  using instruction_numbers = std::make_integer_sequence<int, static_cast<int>(sizeof...(I))>;
  using store_numbers = std::make_integer_sequence<int, static_cast<int>(sizeof...(S))>;

  static constexpr auto nest =
      planned_of<bare_loop_nest<static_cast<int>(sizeof...(L)), static_cast<int>(sizeof...(S))>, Shape>();
  static constexpr detail::loop_order order = detail::order_of(nest);
  static constexpr int kept = order.kept, rank = nest.rank, last = rank - 1;
  static constexpr auto extent_of(int axis) { return static_cast<std::ptrdiff_t>(nest.extents[axis]); }
  static constexpr bool is_open = nest.is_open;

  template <int... Number>
  static constexpr bool stores_are_contiguous(std::integer_sequence<int, Number...>) {
    return ((nest.stores[Number].strides[last] == 1) && ...);
  }
  static constexpr detail::along_last along = [] {
    if constexpr (Arithmetic::sums_as_tables && InnermostReduced && !nest.accumulates) {
      return detail::along_last::in_lanes;
    } else if constexpr (std::is_void_v<number> || rank == 0) {
      return detail::along_last::one_by_one;
    } else if constexpr (kept < rank && order.axis[last] == last) {
      return extent_of(last) >= sum_parts ? detail::along_last::in_parts : detail::along_last::one_by_one;
    } else if constexpr ((nest.ordered >> last & 1u) == 0 && stores_are_contiguous(store_numbers{})) {
      return (is_open || extent_of(last) >= least_vector_width<number>) && vector_width<number> > 1
                 ? detail::along_last::in_vectors
                 : detail::along_last::one_by_one;
    }
    return detail::along_last::one_by_one;
  }();
  // Of a single element the sum is itself.
  static constexpr bool sums_up_one = [] {
    for (int k = kept; k < rank; ++k)
      if (extent_of(order.axis[k]) != 1) return false;
    return true;
  }();
  // What is summed up over axes of one element has no such axis left, but a sum all the same.
  static constexpr bool has_sums = kept < rank || ((S.reduction >= 0 && !nest.accumulates) || ...);
  // Lanes of tables' vectors, in which one result is summed up.
  static constexpr int lane_count = [] {
    if constexpr (along != detail::along_last::in_lanes) {
      return 0;
    } else if constexpr (std::is_void_v<number>) {
      return 1;
    } else {
      return Arithmetic::template sum_lanes<number>;
    }
  }();
  // Fewer numbers are no vector.
  static constexpr int least_lanes = [] {
    if constexpr (std::is_void_v<number>)
      return 1;
    else
      return least_vector_width<number>;
  }();
  static constexpr detail::constant_order_of_sums in_tables = [] {
    if constexpr (!Arithmetic::sums_as_tables) return detail::constant_order_of_sums{};
    return detail::order_of_sums(nest, ((S.reduction >= 0 && is_half(S.type)) || ...), lane_count);
  }();
  // The loops outside of those that are reduced, and of that in vectors.
  static constexpr int outside = along == detail::along_last::in_vectors ? kept - 1 : kept;

  /// Where operands begin, and the number of a call.
  struct context {
    std::byte* const* operands;
    std::ptrdiff_t number;

    std::ptrdiff_t places() const { return is_open ? number : 0; }
    std::ptrdiff_t iteration() const { return is_open ? 0 : number; }
  };

  template <int Width>
  using lanes = typename Arithmetic::template lanes<number, Width>;
  template <int Width>
  using values = registers<bare_lanes<lanes<Width>>, load_keys<L...>, instruction_keys<I...>, load_numbers,
                           instruction_numbers>;
  template <int Width, element Type>
  using value_in = typename bare_lanes<lanes<Width>>::template value<Type>;

  // Where a register is: its type is known, and need not be found among all of them.
  static constexpr element type_of(int number) {
    constexpr element loads[] = {L.type..., element::boolean}, instructions[] = {I.type..., element::boolean};
    return number < 0 ? loads[-1 - number] : instructions[number];
  }
  template <int Width, int Number>
  using slot = register_slot<Number, value_in<Width, type_of(Number)>>;

  // What a store sums up in.
  template <int Width, bool InParts, element Type>
  struct sum_for {
    using type = value_in<Width, Type>;
  };
  template <int Width, element Type>
  struct sum_for<Width, true, Type> {
    using type = bare_sum<number>;
  };
  template <int Width, bool InParts, class Numbers>
  struct sums_of;
  template <int Width, bool InParts, int... Number>
  struct sums_of<Width, InParts, std::integer_sequence<int, Number...>>
      : detail::sum_slot<Number, typename sum_for<Width, InParts, S.type>::type>... {};
  template <int Width>
  using sums = sums_of<Width, along == detail::along_last::in_parts, store_numbers>;

  // The levels of sums that are long.
  template <int Width, class Numbers>
  struct blocks_of;
  template <int Width, int... Number>
  struct blocks_of<Width, std::integer_sequence<int, Number...>>
      : detail::filled_blocks,
        detail::sum_slot<Number,
                         typename decltype(detail::levels_of_store<S, value_in<Width, S.type>>())::type>... {
  };
  struct no_blocks {};
  template <int Width>
  using blocks = std::conditional_t<in_tables.has_blocks, blocks_of<Width, store_numbers>, no_blocks>;

  // In what follows i[k] is the place in loop order.axis[k], the first one of a vector.

  /// How many elements it is to there from an operand's first one.
  template <int Depth>
  [[gnu::always_inline]] static std::ptrdiff_t distance(const access& a, const std::ptrdiff_t* i) {
    return [&]<int... K>(std::integer_sequence<int, K...>) TAPELESS_INLINED {
      return (std::ptrdiff_t{} + ... + (i[K] * static_cast<std::ptrdiff_t>(a.strides[order.axis[K]])));
    }(std::make_integer_sequence<int, Depth>{});
  }
  template <class T, int Depth>
  [[gnu::always_inline]] static T* address(const context& c, const access& a, const std::ptrdiff_t* i) {
    return reinterpret_cast<T*>(c.operands[a.base]) +
           (static_cast<std::ptrdiff_t>(a.offset) + distance<Depth>(a, i));
  }

  template <int Depth, class... Places>
  [[gnu::always_inline]] static void outer(const context& c, Places... i) {
    if constexpr (Depth < outside) {
      const std::ptrdiff_t extent = extent_of(order.axis[Depth]) + c.places();
      for (std::ptrdiff_t now = 0; now < extent; ++now) outer<Depth + 1>(c, i..., now);
    } else if constexpr (along == detail::along_last::in_vectors) {
      in_vectors<vector_width<number>, 0>(c, i...);
    } else if constexpr (along == detail::along_last::in_lanes) {
      reduce_in_lanes(c, i...);
    } else if constexpr (has_sums) {
      reduce<1>(c, i...);
    } else {
      const std::ptrdiff_t here[max_rank] = {i...};
      sums<1> none;
      compute<1>(c, here, none);
    }
  }

  // The places of the last axis from Begin on, in vectors of Width numbers; then the rest in smaller ones.
  // Those of a call come first.
  template <int Width, std::ptrdiff_t Begin, class... Places>
  [[gnu::always_inline]] static void in_vectors(const context& c, Places... i) {
    constexpr std::ptrdiff_t extent = extent_of(last), end = Begin + (extent - Begin) / Width * Width;
    constexpr bool is_first = Width == vector_width<number>;
    if constexpr (end > Begin || (is_open && is_first)) {
      const std::ptrdiff_t begin = is_first ? 0 : Begin + c.places();
      const std::ptrdiff_t first[max_rank] = {i..., begin};
      values<Width> r;  // instructions leave what was loaded as it is
      if constexpr (!has_sums) load_all<Width, loaded::fixed>(c, first, r, load_numbers{});
      for (std::ptrdiff_t now = begin; now < end + c.places(); now += Width) {
        if constexpr (!has_sums) {
          const std::ptrdiff_t here[max_rank] = {i..., now};
          sums<Width> none;
          load_all<Width, loaded::varying>(c, here, r, load_numbers{});
          execute_and_store<Width>(c, here, r, none, instruction_numbers{}, store_numbers{});
        } else {
          reduce<Width>(c, i..., now);
        }
      }
    }
    if constexpr (end < extent) in_vectors<next_width<Width>, end>(c, i...);
  }
  template <int Width>
  static constexpr int next_width = Width / 2 < least_vector_width<number> ? 1 : Width / 2;

  template <int Width, class... Places>
  [[gnu::always_inline]] static void reduce(const context& c, Places... i) {
    const std::ptrdiff_t here[max_rank] = {i...};
    sums<Width> s;
    blocks<Width> b;
    begin_sums(s, store_numbers{});
    inner<Width, kept>(c, s, b, i...);
    end_blocks(s, b);
    end_sums<Width>(c, here, s, store_numbers{});
  }

  template <int Width, int Depth, class... Places>
  [[gnu::always_inline]] static void inner(const context& c, sums<Width>& s, blocks<Width>& b, Places... i) {
    if constexpr (Depth == last && along == detail::along_last::in_parts) {
      in_parts(c, s, i...);
    } else if constexpr (Depth + 1 < rank) {
      constexpr std::ptrdiff_t extent = extent_of(order.axis[Depth]);
      for (std::ptrdiff_t now = 0; now < extent; ++now) inner<Width, Depth + 1>(c, s, b, i..., now);
    } else if constexpr (Depth + 1 == rank) {
      for_blocks<extent_of(order.axis[Depth])>(s, b, [&](std::ptrdiff_t now) TAPELESS_INLINED {
        const std::ptrdiff_t here[max_rank] = {i..., now};
        compute<Width>(c, here, s);
      });
    } else {
      const std::ptrdiff_t here[max_rank] = {i...};
      compute<Width>(c, here, s);
    }
  }

  template <class... Places>
  [[gnu::always_inline]] static void in_parts(const context& c, sums<1>& s, Places... i) {
    constexpr int width = bare_sum<number>::width;
    constexpr std::ptrdiff_t extent = extent_of(last), whole = extent / sum_parts * sum_parts;
    for (std::ptrdiff_t now = 0; now < whole; now += sum_parts)
      for_each_part<number>([&](auto part) TAPELESS_INLINED {
        const std::ptrdiff_t here[max_rank] = {i..., now + part * width};
        compute<width>(c, here, s, part);
      });
    for (std::ptrdiff_t now = whole; now < extent; ++now) {
      const std::ptrdiff_t here[max_rank] = {i..., now};
      compute<1>(c, here, s);
    }
  }

  // One result of which the last axis is in lanes.
  template <class... Places>
  [[gnu::always_inline]] static void reduce_in_lanes(const context& c, Places... i) {
    const std::ptrdiff_t here[max_rank] = {i...};
    sums<1> total;
    if constexpr (in_tables.lines == 1) {
      for_each_line<kept>([&](auto... at) TAPELESS_INLINED { add_up_line(c, total, at...); }, i...);
    } else if constexpr (in_tables.are_one_sum) {
      sums<lane_count> s;
      blocks<lane_count> b;
      begin_sums(s, store_numbers{});
      for_each_line<kept>([&](auto... at) TAPELESS_INLINED { add_line(c, s, b, at...); }, i...);
      end_blocks(s, b);
      total_lanes<lane_count>(s, total);
    } else {
      begin_sums(total, store_numbers{});
      for_each_line<kept>(
          [&](auto... at) TAPELESS_INLINED {
            sums<1> line;
            add_up_line(c, line, at...);
            combine_sums<1>(total, line);
          },
          i...);
    }
    end_sums<1>(c, here, total, store_numbers{});
  }
  template <int Depth, class F, class... Places>
  [[gnu::always_inline]] static void for_each_line(const F& f, Places... i) {
    if constexpr (Depth < last) {
      constexpr std::ptrdiff_t extent = extent_of(order.axis[Depth]);
      for (std::ptrdiff_t now = 0; now < extent; ++now) for_each_line<Depth + 1>(f, i..., now);
    } else {
      f(i...);
    }
  }
  // A line that is a sum of its own. Lanes that hold nothing change no bits: they are left out.
  template <class... Places>
  [[gnu::always_inline]] static void add_up_line(const context& c, sums<1>& total, Places... i) {
    constexpr std::ptrdiff_t extent = extent_of(last);
    constexpr int width =
        static_cast<int>(extent < lane_count ? std::bit_floor(static_cast<unsigned>(extent)) : lane_count);
    if constexpr (extent < lane_count && width < least_lanes) {
      add_up_few<static_cast<int>(extent)>(c, total, i...);
    } else {
      constexpr std::ptrdiff_t whole = extent / width * width;
      sums<width> s;
      if constexpr (whole == width) {
        take_few<width, 0, width>(c, s, i...);
      } else {
        blocks<width> b;
        begin_sums(s, store_numbers{});
        add_whole_vectors<width>(c, s, b, i...);
        if constexpr (in_tables.has_blocks) {
          add_rest(c, s, b, i...);
          end_blocks(s, b);
        }
      }
      total_with_rest<width, whole, in_tables.has_blocks ? 0 : static_cast<int>(extent - whole)>(c, s, total,
                                                                                                 i...);
    }
  }
  template <int Width, std::ptrdiff_t First, int Count, class... Places>
  [[gnu::always_inline]] static void total_with_rest(const context& c, sums<Width>& s, sums<1>& total,
                                                     Places... i) {
    if constexpr (Count == 0) {
      total_lanes<Width>(s, total);
    } else if constexpr (Width <= least_lanes) {
      sums<Width> rest;
      take_few<Width, First, Count>(c, rest, i...);
      combine_sums<Width>(s, rest);
      total_lanes<Width>(s, total);
    } else {
      constexpr int half = Width / 2, low = Count < half ? Count : half;
      sums<half> a, b, rest;
      halve_sums<Width>(s, a, b);
      take_few<half, First, low>(c, rest, i...);
      combine_sums<half>(a, rest);
      if constexpr (Count > half) {
        take_few<half, First + half, Count - half>(c, rest, i...);
        combine_sums<half>(b, rest);
      }
      combine_sums<half>(a, b);
      total_lanes<half>(a, total);
    }
  }
  // Fewer than fill a vector, number by number.
  template <int Count, class... Places>
  [[gnu::always_inline]] static void add_up_few(const context& c, sums<1>& total, Places... i) {
    sums<1> all[Count];
    detail::unrolled<Count>([&](auto lane) TAPELESS_INLINED { compute_one(c, all[lane], i..., lane); });
    if constexpr (Count == 3) combine_sums<1>(all[0], all[2]);
    if constexpr (Count > 1) combine_sums<1>(all[0], all[1]);
    total = all[0];
  }
  // Count elements of a line, from number First on, in the first lanes of a vector.
  template <int Width, std::ptrdiff_t First, int Count, class... Places>
  [[gnu::always_inline]] static void take_few(const context& c, sums<Width>& s, Places... i) {
    if constexpr (Count <= 0) {
      begin_sums(s, store_numbers{});
    } else if constexpr (Count == Width) {
      const std::ptrdiff_t here[max_rank] = {i..., First};
      compute<Width>(c, here, s, detail::only_one{});
    } else if constexpr (Width > least_lanes) {
      constexpr int half = Width / 2, low = Count < half ? Count : half;
      sums<half> a, b;
      take_few<half, First, low>(c, a, i...);
      take_few<half, First + half, Count - low>(c, b, i...);
      join_sums<Width>(s, a, b);
    } else {
      begin_sums(s, store_numbers{});
      sums<1> all[Count];
      detail::unrolled<Count>([&](auto lane) TAPELESS_INLINED {
        compute_one(c, all[lane], i..., First + lane);
        put_lane<Width>(s, lane, all[lane]);
      });
    }
  }
  template <class... Places>
  [[gnu::always_inline]] static void compute_one(const context& c, sums<1>& s, Places... i) {
    const std::ptrdiff_t here[max_rank] = {i...};
    compute<1>(c, here, s, detail::only_one{});
  }
  template <class... Places>
  [[gnu::always_inline]] static void add_line(const context& c, sums<lane_count>& s, blocks<lane_count>& b,
                                              Places... i) {
    add_whole_vectors<lane_count>(c, s, b, i...);
    add_rest(c, s, b, i...);
  }
  template <int Width, class... Places>
  [[gnu::always_inline]] static void add_whole_vectors(const context& c, sums<Width>& s, blocks<Width>& b,
                                                       Places... i) {
    constexpr std::ptrdiff_t iterations = extent_of(last) / Width;
    for_blocks<iterations>(s, b, [&](std::ptrdiff_t now) TAPELESS_INLINED {
      const std::ptrdiff_t here[max_rank] = {i..., now * Width};
      compute<Width>(c, here, s);
    });
  }
  template <class... Places>
  [[gnu::always_inline]] static void add_rest(const context& c, sums<lane_count>& s, blocks<lane_count>& b,
                                              Places... i) {
    constexpr std::ptrdiff_t extent = extent_of(last), whole = extent / lane_count * lane_count;
    if constexpr (whole < extent) {
      sums<lane_count> rest;
      take_few<lane_count, whole, static_cast<int>(extent - whole)>(c, rest, i...);
      combine_sums<lane_count>(s, rest);
      count_iterations(s, b, 1);
    }
  }
  // Calls f with 0, 1, ..., and puts what is in s away after each block.
  template <std::ptrdiff_t Iterations, int Width, class F>
  [[gnu::always_inline]] static void for_blocks(sums<Width>& s, blocks<Width>& b, const F& f) {
    if constexpr (in_tables.has_blocks) {
      for (std::ptrdiff_t now = 0; now < Iterations;) {
        const std::ptrdiff_t begin = now, end = Iterations - now < b.room() ? Iterations : now + b.room();
        for (; now < end; ++now) f(now);
        count_iterations(s, b, static_cast<int>(end - begin));
      }
    } else {
      for (std::ptrdiff_t now = 0; now < Iterations; ++now) f(now);
    }
  }

  template <int Width, class Sums, class... Part>
  [[gnu::always_inline]] static void compute(const context& c, const std::ptrdiff_t* here, Sums& s,
                                             Part... part) {
    values<Width> r;
    load_all<Width, loaded::all>(c, here, r, load_numbers{});
    execute_and_store<Width>(c, here, r, s, instruction_numbers{}, store_numbers{}, part...);
  }

  // Loads that are the same for all places of the last axis, those that are not, or both.
  enum class loaded { fixed, varying, all };
  template <int Width, loaded Which, int... Number>
  [[gnu::always_inline]] static void load_all(const context& c, const std::ptrdiff_t* here, values<Width>& r,
                                              std::integer_sequence<int, Number...>) {
    (load<Width, Which, L, Number>(c, here, r), ...);
  }
  template <int Width, class Sums, int... InstructionNumber, int... StoreNumber, class... Part>
  [[gnu::always_inline]] static void execute_and_store(const context& c, const std::ptrdiff_t* here,
                                                       values<Width>& r, Sums& s,
                                                       std::integer_sequence<int, InstructionNumber...>,
                                                       std::integer_sequence<int, StoreNumber...>,
                                                       Part... part) {
    (detail::compute_bare<I.code, I.count>(static_cast<slot<Width, InstructionNumber>&>(r).held,
                                           static_cast<slot<Width, I.a>&>(r).held,
                                           static_cast<slot<Width, (I.count > 1 ? I.b : I.a)>&>(r).held,
                                           static_cast<slot<Width, (I.count > 2 ? I.c : I.a)>&>(r).held),
     ...);
    (store<Width, S, StoreNumber>(c, here, r, s, part...), ...);
  }

  template <int Width, loaded Which, load_key Key, int Number>
  [[gnu::always_inline]] static void load(const context& c, const std::ptrdiff_t* here, values<Width>& r) {
    static constexpr access a = nest.loads[Number];
    constexpr bool is_number = Key.kind == lane::number;
    constexpr std::int64_t stride = is_number || rank == 0 ? 0 : a.strides[rank == 0 ? 0 : last];
    constexpr bool is_fixed = stride == 0 && Key.kind != lane::index;
    if constexpr (Which == loaded::all || is_fixed == (Which == loaded::fixed)) {
      using value = computed_as<Key.type>;
      auto& to = static_cast<slot<Width, -1 - Number>&>(r).held;
      if constexpr (is_number) {
        to = everywhere<Width>(convert<value>(std::bit_cast<double>(nest.numbers[Number])));
      } else if constexpr (Key.kind == lane::index) {
        to = static_cast<value>(static_cast<std::ptrdiff_t>(a.offset) +
                                c.iteration() * static_cast<std::ptrdiff_t>(a.iteration_stride) +
                                distance<rank>(a, here));
      } else {
        using stored = storage_of<Key.type>;
        const stored* from = address<const stored, rank>(c, a, here);
        if constexpr (stride == 0 || Width == 1) {
          to = everywhere<Width>(static_cast<value>(*from));
        } else if constexpr (stride == 1 && std::is_same_v<stored, value>) {
          to = {lanes<Width>::load(from)};
        } else if constexpr (std::is_same_v<value, bool>) {
          for (int i = 0; i < Width; ++i) to.x[i] = -static_cast<int>(from[i * stride]);
        } else {
          [&]<int... Lane>(std::integer_sequence<int, Lane...>) TAPELESS_INLINED {
            to.x = typename lanes<Width>::held{static_cast<value>(from[Lane * stride])...};
          }(std::make_integer_sequence<int, Width>{});
        }
      }
    }
  }
  template <int Width, class T>
  [[gnu::always_inline]] static auto everywhere(T x) {
    if constexpr (Width == 1) {
      return x;
    } else if constexpr (std::is_same_v<T, bool>) {
      return bare_conditions<lanes<Width>>{typename lanes<Width>::integers{} - static_cast<int>(x)};
    } else {
      return spread<lanes<Width>>(x);
    }
  }

  template <store_key Key>
  static constexpr bool sums_up = Key.reduction >= 0 && !nest.accumulates;

  template <int Width, store_key Key, int Number, class Sums, class... Part>
  [[gnu::always_inline]] static void store(const context& c, const std::ptrdiff_t* here, values<Width>& r,
                                           Sums& s, Part... part) {
    using value = value_in<Width, Key.type>;
    const auto x = static_cast<value>(static_cast<slot<Width, Key.source>&>(r).held);
    if constexpr (sums_up<Key>) {
      auto& sum = detail::sum_in<Number>(s);
      if constexpr (along == detail::along_last::in_parts) {
        sum.template add<reduction_operation_at<Key.reduction>>(x, part...);
      } else if constexpr (sums_up_one || sizeof...(Part) > 0) {
        sum = x;
      } else {
        sum = combine<Key>(sum, x);
      }
    } else {
      using stored = storage_of<Key.type>;
      stored* const to = address<stored, rank>(c, nest.stores[Number], here);
      if constexpr (Key.reduction < 0) {
        put<Width>(to, x);
      } else {
        put<Width>(to, combine<Key>(got<Width, value>(to), x));
      }
    }
  }
  template <int Width, class Stored, class Value>
  [[gnu::always_inline]] static void put(Stored* to, Value x) {
    if constexpr (Width == 1) {
      *to = static_cast<Stored>(x);
    } else if constexpr (std::is_same_v<Stored, number> || std::is_same_v<Stored, bool>) {
      lanes<Width>::store(to, x.x);
    } else {
      for (int i = 0; i < Width; ++i) to[i] = static_cast<Stored>(x.x[i]);
    }
  }
  template <int Width, class Value, class Stored>
  [[gnu::always_inline]] static Value got(const Stored* from) {
    if constexpr (Width == 1) {
      return static_cast<Value>(*from);
    } else if constexpr (std::is_same_v<Stored, number>) {
      return {lanes<Width>::load(from)};
    } else {
      Value x;
      for (int i = 0; i < Width; ++i) x.x[i] = static_cast<number>(from[i]);
      return x;
    }
  }

  template <store_key Key, class Value>
  static Value combine(Value a, Value b) {
    return static_cast<Value>(reduction_operation_at<Key.reduction>::combine(a, b));
  }

  template <class Sums, int... Number>
  [[gnu::always_inline]] static void begin_sums(Sums& s, std::integer_sequence<int, Number...>) {
    (begin_sum<S>(detail::sum_in<Number>(s)), ...);
  }
  template <store_key Key, class Sum>
  [[gnu::always_inline]] static void begin_sum(Sum& sum) {
    if constexpr (sums_up<Key>) {
      using reduction = reduction_operation_at<Key.reduction>;
      constexpr auto identity = Arithmetic::sums_as_tables
                                    ? neutral_number<reduction, computed_as<Key.type>>()
                                    : reduction::template identity<computed_as<Key.type>>;
      if constexpr (along == detail::along_last::in_parts) {
        sum.begin(identity);
      } else if constexpr (std::is_arithmetic_v<Sum>) {
        sum = identity;
      } else {
        sum = everywhere<static_cast<int>(sizeof(Sum) / sizeof(identity))>(identity);
      }
    }
  }
  template <int Width, int... Number>
  [[gnu::always_inline]] static void end_sums(const context& c, const std::ptrdiff_t* here, sums<Width>& s,
                                              std::integer_sequence<int, Number...>) {
    (end_sum<Width, S, Number>(c, here, detail::sum_in<Number>(s)), ...);
  }
  template <int Width, store_key Key, int Number, class Sum>
  [[gnu::always_inline]] static void end_sum(const context& c, const std::ptrdiff_t* here, const Sum& sum) {
    if constexpr (sums_up<Key>) {
      using stored = storage_of<Key.type>;
      stored* const to = address<stored, kept>(c, nest.stores[Number], here);
      if constexpr (along == detail::along_last::in_parts) {
        *to = static_cast<stored>(sum.template total<reduction_operation_at<Key.reduction>>());
      } else {
        put<Width>(to, sum);
      }
    }
  }

  template <int Width>
  [[gnu::always_inline]] static void combine_sums(sums<Width>& to, sums<Width>& from) {
    for_each_sum([&]<store_key Key, int Number>() TAPELESS_INLINED {
      auto& sum = detail::sum_in<Number>(to);
      sum = combine<Key>(sum, detail::sum_in<Number>(from));
    });
  }
  template <int Width>
  [[gnu::always_inline]] static void join_sums(sums<Width>& to, sums<Width / 2>& a, sums<Width / 2>& b) {
    for_each_sum([&]<store_key Key, int Number>() TAPELESS_INLINED {
      detail::sum_in<Number>(to).x =
          detail::joined<Width>(detail::sum_in<Number>(a).x, detail::sum_in<Number>(b).x);
    });
  }
  template <int Width>
  [[gnu::always_inline]] static void halve_sums(sums<Width>& from, sums<Width / 2>& a, sums<Width / 2>& b) {
    for_each_sum([&]<store_key Key, int Number>() TAPELESS_INLINED {
      const auto& x = detail::sum_in<Number>(from).x;
      detail::sum_in<Number>(a).x = every<0, 1, Width / 2>(x, x);
      detail::sum_in<Number>(b).x = every<Width / 2, 1, Width / 2>(x, x);
    });
  }
  template <int Width>
  [[gnu::always_inline]] static void put_lane(sums<Width>& to, int lane, sums<1>& from) {
    for_each_sum([&]<store_key Key, int Number>()
                     TAPELESS_INLINED { detail::sum_in<Number>(to).x[lane] = detail::sum_in<Number>(from); });
  }
  template <int Width>
  [[gnu::always_inline]] static void total_lanes(sums<Width>& s, sums<1>& total) {
    for_each_sum([&]<store_key Key, int Number>() TAPELESS_INLINED {
      if constexpr (Width == 1) {
        detail::sum_in<Number>(total) = detail::sum_in<Number>(s);
      } else {
        detail::sum_in<Number>(total) =
            detail::total_of<reduction_operation_at<Key.reduction>>(detail::sum_in<Number>(s));
      }
    });
  }

  // After so many iterations, for which the block has room.
  template <int Width>
  [[gnu::always_inline]] static void count_iterations([[maybe_unused]] sums<Width>& s,
                                                      [[maybe_unused]] blocks<Width>& b,
                                                      [[maybe_unused]] int iterations) {
    if constexpr (in_tables.has_blocks) {
      b.iterations += iterations;
      if (b.iterations == iterations_of_a_block) {
        put_away(s, b);
        begin_sums(s, store_numbers{});
      }
    }
  }
  template <int Width>
  [[gnu::always_inline]] static void put_away(sums<Width>& s, blocks<Width>& b) {
    for_each_sum([&]<store_key Key, int Number>() TAPELESS_INLINED {
      detail::sum_in<Number>(b).first_level() = detail::sum_in<Number>(s);
    });
    b.filled.next(b.iterations, [&](int level, bool empty) TAPELESS_INLINED {
      sums<Width> neutral;
      begin_sums(neutral, store_numbers{});
      for_each_sum([&]<store_key Key, int Number>() TAPELESS_INLINED {
        detail::sum_in<Number>(b).carry(level, empty, detail::sum_in<Number>(neutral));
      });
    });
    b.iterations = 0;
  }
  template <int Width>
  [[gnu::always_inline]] static void end_blocks([[maybe_unused]] sums<Width>& s,
                                                [[maybe_unused]] blocks<Width>& b) {
    if constexpr (in_tables.has_blocks) {
      put_away(s, b);
      for_each_sum([&]<store_key Key, int Number>() TAPELESS_INLINED {
        detail::sum_in<Number>(s) = detail::sum_in<Number>(b).total(b.filled);
      });
    }
  }

  // Calls f with each store that sums up.
  template <class F>
  [[gnu::always_inline]] static void for_each_sum(const F& f) {
    [&]<int... Number>(std::integer_sequence<int, Number...>)
        TAPELESS_INLINED { (for_sum<S, Number>(f), ...); }(store_numbers{});
  }
  template <store_key Key, int Number, class F>
  [[gnu::always_inline]] static void for_sum(const F& f) {
    if constexpr (sums_up<Key>) f.template operator()<Key, Number>();
  }
};

}  // namespace tapeless::bare_kernels
