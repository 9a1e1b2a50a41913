// SPDX-License-Identifier: BSL-1.0
// Long sums of fused kernels with constant extents: after a block of so many iterations they are put away,
// and what is put away is added up level by level, as tables do. See order_of_sums.hpp.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_fused_elements.hpp>
#include <tapeless/run/bare/bare_order_of_sums.hpp>

namespace tapeless::bare_kernels {

/// The blocks of a fused kernel of this key (a pointer to it) and shape, where Arithmetic has sums as tables.
template <class Key, auto Shape, class Arithmetic>
struct bare_fused_blocks : bare_fused_elements<Key, Shape, Arithmetic> {
  using base = bare_fused_elements<Key, Shape, Arithmetic>;
  using base::along, base::begin_sums, base::for_each_sum, base::nest;
  using typename base::number, typename base::store_numbers;
  template <int Width>
  using sums = typename base::template sums<Width>;

  // Lanes of tables' vectors, in which one result is summed up, or 0.
  static constexpr int lane_count = [] {
    if constexpr (along != detail::along_last::in_lanes) {
      return 0;
    } else if constexpr (std::is_void_v<number>) {
      return 1;
    } else {
      return Arithmetic::template width<number>;
    }
  }();
  static constexpr detail::constant_order_of_sums in_tables = [] {
    if constexpr (!Arithmetic::sums_as_tables) return detail::constant_order_of_sums{};
    bool sums_halves = false;
    for (int k = 0; k < base::store_count; ++k)
      sums_halves = sums_halves || (base::store_of(k).reduction >= 0 && is_half(base::store_of(k).type));
    return detail::order_of_sums(nest, sums_halves, lane_count);
  }();
  // The levels of sums that are long.
  template <int Width, class Numbers>
  struct blocks_of;
  template <int Width, int... Number>
  struct blocks_of<Width, std::integer_sequence<int, Number...>>
      : detail::filled_blocks,
        detail::sum_slot<Number, typename decltype(detail::levels_of_store<
                                                   base::store_of(Number),
                                                   typename base::template value_in<
                                                       Width, base::store_of(Number).type>>())::type>... {};
  struct no_blocks {};
  template <int Width>
  using blocks = std::conditional_t<in_tables.has_blocks, blocks_of<Width, store_numbers>, no_blocks>;

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
  [[gnu::always_inline]] static void end_blocks([[maybe_unused]] sums<Width>& s,
                                                [[maybe_unused]] blocks<Width>& b) {
    if constexpr (in_tables.has_blocks) {
      put_away(s, b);
      for_each_sum([&]<store_key Store, int Number>() TAPELESS_INLINED {
        detail::sum_in<Number>(s) = detail::sum_in<Number>(b).total(b.filled);
      });
    }
  }

 private:
  template <int Width>
  [[gnu::always_inline]] static void put_away(sums<Width>& s, blocks<Width>& b) {
    for_each_sum([&]<store_key Store, int Number>() TAPELESS_INLINED {
      detail::sum_in<Number>(b).first_level() = detail::sum_in<Number>(s);
    });
    b.filled.next(b.iterations, [&](int level, bool empty) TAPELESS_INLINED {
      sums<Width> neutral;
      begin_sums(neutral, store_numbers{});
      for_each_sum([&]<store_key Store, int Number>() TAPELESS_INLINED {
        detail::sum_in<Number>(b).carry(level, empty, detail::sum_in<Number>(neutral));
      });
    });
    b.iterations = 0;
  }
};

}  // namespace tapeless::bare_kernels
