// SPDX-License-Identifier: BSL-1.0
// Sums of fused kernels with constant extents in the order that tables have: see order_of_sums.hpp. Where the
// last axis is reduced, its elements are in the lanes of vectors of tables' width. Lanes that hold nothing
// change no bits, and are left out.
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_fused_blocks.hpp>
#include <tapeless/run/bare/bare_order_of_sums.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>

namespace tapeless::bare_kernels {

/// What a fused kernel of this key (a pointer to it) and shape sums up, where Arithmetic has sums as tables.
template <class Key, auto Shape, class Arithmetic>
struct bare_fused_sums : bare_fused_blocks<Key, Shape, Arithmetic> {
  using base = bare_fused_blocks<Key, Shape, Arithmetic>;
  using base::begin_sums, base::count_iterations, base::end_blocks, base::extent_of, base::for_each_sum,
      base::in_tables, base::kept, base::lane_count, base::last, base::order;
  using typename base::context, typename base::number, typename base::store_numbers;
  template <int Width>
  using sums = typename base::template sums<Width>;
  template <int Width>
  using blocks = typename base::template blocks<Width>;

  // Fewer numbers are no vector.
  static constexpr int least_lanes = [] {
    if constexpr (std::is_void_v<number>)
      return 1;
    else
      return least_vector_width<number>;
  }();

  // In what follows i[k] is the place in loop order.axis[k], the first one of a vector.

  /// Results that are neighbours along the last axis: their rows are added up.
  template <int Width, class... Places>
  [[gnu::always_inline]] static void reduce_rows(const context& c, Places... i) {
    const std::ptrdiff_t here[max_rank] = {i...};
    sums<Width> s;
    blocks<Width> b;
    begin_sums(s, store_numbers{});
    add_rows<kept>(c, s, b, i...);
    end_blocks(s, b);
    base::template end_sums<Width>(c, here, s, store_numbers{});
  }
  /// One result of which the last axis is in lanes.
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
    base::template end_sums<1>(c, here, total, store_numbers{});
  }

 private:
  template <int Depth, int Width, class... Places>
  [[gnu::always_inline]] static void add_rows(const context& c, sums<Width>& s, blocks<Width>& b,
                                              Places... i) {
    constexpr std::ptrdiff_t extent = extent_of(order.axis[Depth]);
    if constexpr (Depth + 1 < base::rank) {
      for (std::ptrdiff_t now = 0; now < extent; ++now) add_rows<Depth + 1>(c, s, b, i..., now);
    } else {
      base::template for_blocks<extent>(s, b, [&](std::ptrdiff_t now) TAPELESS_INLINED {
        const std::ptrdiff_t here[max_rank] = {i..., now};
        base::template compute<Width>(c, here, s);
      });
    }
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
      base::template compute<Width>(c, here, s, detail::only_one{});
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
    base::template compute<1>(c, here, s, detail::only_one{});
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
    base::template for_blocks<iterations>(s, b, [&](std::ptrdiff_t now) TAPELESS_INLINED {
      const std::ptrdiff_t here[max_rank] = {i..., now * Width};
      base::template compute<Width>(c, here, s);
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

  template <int Width>
  [[gnu::always_inline]] static void combine_sums(sums<Width>& to, sums<Width>& from) {
    for_each_sum([&]<store_key Store, int Number>() TAPELESS_INLINED {
      auto& sum = detail::sum_in<Number>(to);
      sum = base::template combine<Store>(sum, detail::sum_in<Number>(from));
    });
  }
  template <int Width>
  [[gnu::always_inline]] static void join_sums(sums<Width>& to, sums<Width / 2>& a, sums<Width / 2>& b) {
    for_each_sum([&]<store_key Store, int Number>() TAPELESS_INLINED {
      detail::sum_in<Number>(to).x =
          detail::joined<Width>(detail::sum_in<Number>(a).x, detail::sum_in<Number>(b).x);
    });
  }
  template <int Width>
  [[gnu::always_inline]] static void halve_sums(sums<Width>& from, sums<Width / 2>& a, sums<Width / 2>& b) {
    for_each_sum([&]<store_key Store, int Number>() TAPELESS_INLINED {
      const auto& x = detail::sum_in<Number>(from).x;
      detail::sum_in<Number>(a).x = every<0, 1, Width / 2>(x, x);
      detail::sum_in<Number>(b).x = every<Width / 2, 1, Width / 2>(x, x);
    });
  }
  template <int Width>
  [[gnu::always_inline]] static void put_lane(sums<Width>& to, int lane, sums<1>& from) {
    for_each_sum([&]<store_key Store, int Number>()
                     TAPELESS_INLINED { detail::sum_in<Number>(to).x[lane] = detail::sum_in<Number>(from); });
  }
  template <int Width>
  [[gnu::always_inline]] static void total_lanes(sums<Width>& s, sums<1>& total) {
    for_each_sum([&]<store_key Store, int Number>() TAPELESS_INLINED {
      if constexpr (Width == 1) {
        detail::sum_in<Number>(total) = detail::sum_in<Number>(s);
      } else {
        detail::sum_in<Number>(total) =
            detail::total_of<reduction_operation_at<Store.reduction>>(detail::sum_in<Number>(s));
      }
    });
  }
};

}  // namespace tapeless::bare_kernels
