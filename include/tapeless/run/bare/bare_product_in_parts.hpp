// SPDX-License-Identifier: BSL-1.0
// A matrix product whose rows of a and columns of b are contiguous and long. Each element of c is a sum in
// parts: term p goes to part p mod 16 (8 where there are fewer than 16 terms), the parts are combined by
// halves, 0 with 8, 1 with 9, ..., and then come the terms beyond the last multiple.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_factors.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>

namespace tapeless::bare_kernels {

/// c [m, n], whose rows are contiguous, is a [m, k] times b [k, n]. Shape has m, n, k and the strides a_row
/// and b_column, and says whether the next run waits for this one. It is a type of the product's own: what is
/// called in one place is part of what calls it.
template <class Stored, class Value, class Shape>
struct bare_product_in_parts {
  [[gnu::always_inline]] static void run(const Stored* a, const Stored* b, Stored* c) {
    if constexpr (widest == 1) {
      sum_by_sum(a, b, c);
    } else {
      in_vectors_of_parts(a, b, c);
    }
  }

 private:
  static constexpr std::ptrdiff_t m = Shape::m, n = Shape::n, k = Shape::k, a_row = Shape::a_row,
                                  b_column = Shape::b_column;
  static constexpr int parts = k >= 16 ? 16 : 8;
  static constexpr int widest = [] {
    if constexpr (std::is_floating_point_v<Value>) return vector_width<Value>;
    return 1;
  }();
  // So many vectors are held at once, of the 16 or more that machines have.
  static constexpr int held_at_once = 8;
  template <int Width>
  using factor = factors<Value, Width>;

  static constexpr std::ptrdiff_t end_of_parts = k / parts * parts;
  [[gnu::always_inline]] static Value term(const Stored* a, const Stored* b, std::ptrdiff_t p) {
    return static_cast<Value>(a[p]) * static_cast<Value>(b[p]);
  }
  [[gnu::always_inline]] static void sum_by_sum(const Stored* a, const Stored* b, Stored* c) {
    for (std::ptrdiff_t i = 0; i < m; ++i)
      for (std::ptrdiff_t j = 0; j < n; ++j) {
        const Stored *x = a + i * a_row, *y = b + j * b_column;
        Value sum[parts];
        for (std::ptrdiff_t part = 0; part < parts; ++part) sum[part] = term(x, y, part);
        for (std::ptrdiff_t p = parts; p < end_of_parts; p += parts)
          for (std::ptrdiff_t part = 0; part < parts; ++part) sum[part] += term(x, y, p + part);
        for (std::ptrdiff_t half = parts / 2; half > 0; half /= 2)
          for (std::ptrdiff_t part = 0; part < half; ++part) sum[part] += sum[part + half];
        for (std::ptrdiff_t p = end_of_parts; p < k; ++p) sum[0] += term(x, y, p);
        c[i * n + j] = static_cast<Stored>(sum[0]);
      }
  }

  // As many elements at once as a vector has lanes, at most 8: neighbours in memory. So many of the parts of
  // each are in a vector.
  static constexpr int lanes = widest < parts ? widest : parts, group = lanes < 8 ? lanes : 8;
  [[gnu::always_inline]] static void in_vectors_of_parts(const Stored* a, const Stored* b, Stored* c) {
    constexpr std::ptrdiff_t count = m * n,
                             grouped = n % group == 0 || group % n == 0 ? count / group * group : 0;
    for (std::ptrdiff_t at = 0; at < grouped; at += group) {
      const Stored *x = a + at / n * a_row, *y = b + at % n * b_column;
      factor<group> sum[group];
      // a few at a time, so that parts stay in registers
      constexpr int vectors = parts / lanes,
                    few = group * vectors <= held_at_once ? group : held_at_once / vectors;
      detail::repeated<group / few>([&](int part) TAPELESS_INLINED {
        const int first = part * few;
        parts_of<few>([&](int e) TAPELESS_INLINED { return x + (first + e) / n * a_row; },
                      [&](int e) TAPELESS_INLINED { return y + (first + e) % n * b_column; }, sum + first);
      });
      totals<group>(sum);
      if constexpr (end_of_parts < k)
        detail::unrolled<group>([&](auto e) TAPELESS_INLINED {
          for (std::ptrdiff_t p = end_of_parts; p < k; ++p)
            sum[0][int{e}] += term(x + e / n * a_row, y + e % n * b_column, p);
        });
      put_factors<Value, group, 1>(c + at, sum[0]);
    }
    for (std::ptrdiff_t at = grouped; at < count; ++at) {
      const Stored *x = a + at / n * a_row, *y = b + at % n * b_column;
      factor<group> parts_of_it[1];
      parts_of<1>([&](int) TAPELESS_INLINED { return x; }, [&](int) TAPELESS_INLINED { return y; },
                  parts_of_it);
      Value sum = total_of_lanes<Shape::is_waited_for>(parts_of_it[0]);
      for (std::ptrdiff_t p = end_of_parts; p < k; ++p) sum += term(x, y, p);
      c[at] = static_cast<Stored>(sum);
    }
  }
  // The parts of Count elements, combined until one vector holds those of each.
  template <int Count, class A, class B>
  [[gnu::always_inline]] static void parts_of(const A& a, const B& b, factor<group>* to) {
    constexpr int vectors = parts / lanes;
    factor<lanes> sum[Count * vectors];
    const auto add = [&](std::ptrdiff_t p, auto first) TAPELESS_INLINED {
      detail::repeated<vectors>([&](int v) TAPELESS_INLINED {
        detail::repeated<Count>([&](int e) TAPELESS_INLINED {
          add_product(sum[e * vectors + v], load_factors<Value, lanes, 1>(a(e) + p + v * lanes),
                      load_factors<Value, lanes, 1>(b(e) + p + v * lanes), first);
        });
      });
    };
    add(0, std::true_type{});
    for (std::ptrdiff_t p = parts; p < end_of_parts; p += parts) add(p, std::false_type{});
    detail::repeated<Count>([&](int e) TAPELESS_INLINED {
      halve<vectors>(sum + e * vectors);
      if constexpr (lanes > group) {
        const factor<lanes> x = sum[e * vectors];
        to[e] = every<0, 1, group>(x, x) + every<group, 1, group>(x, x);
      } else {
        to[e] = sum[e * vectors];
      }
    });
  }
  template <int Count>
  [[gnu::always_inline]] static void halve(factor<lanes>* sum) {
    if constexpr (Count > 1) {
      detail::repeated<Count / 2>([&](int i) TAPELESS_INLINED { sum[i] += sum[i + Count / 2]; });
      halve<Count / 2>(sum);
    }
  }
  // The sum of each of so many vectors' lanes, by halves, becomes a lane of the first one.
  template <int Blocks>
  [[gnu::always_inline]] static void totals(factor<group>* sum) {
    if constexpr (Blocks > 1) {
      detail::repeated<Blocks / 2>([&](int i) TAPELESS_INLINED {
        const factor<group> x = sum[2 * i], y = sum[2 * i + 1];
        sum[i] = half_blocks<0, Blocks>(x, y) + half_blocks<1, Blocks>(x, y);
      });
      totals<Blocks / 2>(sum);
    }
  }
};

}  // namespace tapeless::bare_kernels
