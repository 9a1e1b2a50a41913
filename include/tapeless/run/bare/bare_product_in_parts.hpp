// SPDX-License-Identifier: BSL-1.0
// A matrix product whose rows of a and columns of b are contiguous. Each element of c is a sum in parts: term
// p goes to part p mod parts, and the parts are combined by halves, 0 with parts / 2, 1 with parts / 2 + 1,
// ... In an arithmetic of its own the terms beyond the last multiple come one after the other behind that.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_factors.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>

namespace tapeless::bare_kernels {

/// c [m, n], whose rows are contiguous, is a [m, k] times b [k, n]. Shape has m, n, k, the strides a_row and
/// b_column and the number of parts, and says whether the next run waits for this one. It is a type of the
/// product's own: what is called in one place is part of what calls it.
template <class Stored, class Value, class Arithmetic, class Shape>
struct bare_product_in_parts {
  [[gnu::always_inline]] static void run(const Stored* a, const Stored* b, Stored* c) {
    if constexpr (widest == 1) {
      sum_by_sum(a, b, c);
    } else if constexpr (has_short_terms && m == 1 && b_column == k) {
      of_short_terms<0, width_for(n)>(b, a, c);
    } else if constexpr (has_short_terms && n == 1 && a_row == k) {
      of_short_terms<0, width_for(m)>(a, b, c);
    } else {
      in_vectors_of_parts(a, b, c);
    }
  }

 private:
  static constexpr std::ptrdiff_t m = Shape::m, n = Shape::n, k = Shape::k, a_row = Shape::a_row,
                                  b_column = Shape::b_column;
  static constexpr bool as_tables = Arithmetic::sums_as_tables;
  static constexpr int widest = [] {
    if constexpr (std::is_floating_point_v<Value>) return vector_width<Value>;
    return 1;
  }();
  // Those that have terms, and so many more that they fill a vector.
  static constexpr int parts = [] {
    int all = Shape::parts;
    while (as_tables && all / 2 >= k && all > least_vector_width<Value>) all /= 2;
    return all;
  }();
  // So many vectors are held at once, of the 16 or more that machines have.
  static constexpr int held_at_once = 8;
  template <int Width>
  using factor = factors<Value, Width>;

  // Terms from whole to end_of_parts do not fill all parts.
  static constexpr std::ptrdiff_t whole = k / parts * parts, end_of_parts = as_tables ? k : whole;
  [[gnu::always_inline]] static Value term(const Stored* a, const Stored* b, std::ptrdiff_t p) {
    return static_cast<Value>(a[p]) * static_cast<Value>(b[p]);
  }
  [[gnu::always_inline]] static void sum_by_sum(const Stored* a, const Stored* b, Stored* c) {
    for (std::ptrdiff_t i = 0; i < m; ++i)
      for (std::ptrdiff_t j = 0; j < n; ++j) {
        const Stored *x = a + i * a_row, *y = b + j * b_column;
        constexpr std::ptrdiff_t used = k < parts ? k : parts;
        Value sum[parts];
        for (std::ptrdiff_t part = 0; part < used; ++part) sum[part] = term(x, y, part);
        for (std::ptrdiff_t p = parts; p < end_of_parts; p += parts)
          for (std::ptrdiff_t part = 0; part < parts && p + part < end_of_parts; ++part)
            add_product<Arithmetic>(sum[part], static_cast<Value>(x[p + part]),
                                    static_cast<Value>(y[p + part]), next_term);
        for (std::ptrdiff_t half = parts / 2; half > 0; half /= 2)
          for (std::ptrdiff_t part = 0; part < half && part + half < used; ++part)
            sum[part] += sum[part + half];
        for (std::ptrdiff_t p = end_of_parts; p < k; ++p) sum[0] += term(x, y, p);
        c[i * n + j] = static_cast<Stored>(sum[0]);
      }
  }

  // A matrix of lines of two, four or eight terms, one behind the other, times a vector: the terms of Width
  // elements fill as many vectors as each has terms.
  static constexpr bool has_short_terms =
      as_tables && (k == 2 || k == 4 || k == 8) && k <= widest && std::is_same_v<Stored, Value>;
  static constexpr int width_for(std::ptrdiff_t count) {
    int width = widest;
    while (width > count && width / 2 >= k && width / 2 >= least_vector_width<Value>) width /= 2;
    return width;
  }
  template <std::ptrdiff_t Begin, int Width>
  [[gnu::always_inline]] static void of_short_terms(const Stored* matrix, const Stored* vector, Stored* c) {
    constexpr int terms = static_cast<int>(k), most = held_at_once / terms;
    constexpr std::ptrdiff_t count = m * n, vectors = (count - Begin) / Width,
                             together = vectors < most ? vectors : most, step = together * Width,
                             end = Begin + (count - Begin) / (step == 0 ? 1 : step) * step;
    const factor<Width> x = again_and_again<Width>(vector);
    for (std::ptrdiff_t at = Begin; at < end; at += step)
      detail::repeated<static_cast<int>(together)>([&](int v) TAPELESS_INLINED {
        const std::ptrdiff_t first = at + v * Width;
        factor<Width> products[terms];
        detail::repeated<terms>([&](int i) TAPELESS_INLINED {
          products[i] = load_factors<Value, Width, 1>(matrix + first * k + i * Width) * x;
        });
        totals<terms>(products);
        put_factors<Value, Width, 1>(c + first, products[0]);
      });
    if constexpr (end < count && (count - end >= Width || width_for(count - end) < Width)) {
      of_short_terms<end, (count - end >= Width ? Width : width_for(count - end))>(matrix, vector, c);
    } else {
      for (std::ptrdiff_t at = end; at < count; ++at) c[at] = one_element(matrix + at * k, vector);
    }
  }
  template <int Width>
  [[gnu::always_inline]] static factor<Width> again_and_again(const Stored* terms) {
    if constexpr (k * sizeof(Value) == 8) {
      return spread_pair<Value, Width>(terms);
    } else {
      return repeated_lanes<Width>(load_factors<Value, static_cast<int>(k), 1>(terms));
    }
  }

  // As many elements at once as a vector has lanes, at most 8: neighbours in memory. So many of the parts of
  // each are in a vector.
  static constexpr int lanes = widest < parts ? widest : parts, group = lanes < 8 ? lanes : 8;
  [[gnu::always_inline]] static void in_vectors_of_parts(const Stored* a, const Stored* b, Stored* c) {
    constexpr bool are_in_groups = n % group == 0 || group % n == 0 || (as_tables && m == 1);
    constexpr std::ptrdiff_t count = m * n, grouped = are_in_groups ? count / group * group : 0;
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
      c[at] = one_element(a + at / n * a_row, b + at % n * b_column);
    }
  }
  [[gnu::always_inline]] static Stored one_element(const Stored* x, const Stored* y) {
    factor<group> parts_of_it[1];
    parts_of<1>([&](int) TAPELESS_INLINED { return x; }, [&](int) TAPELESS_INLINED { return y; },
                parts_of_it);
    Value sum = total_of_lanes<Shape::is_waited_for>(parts_of_it[0]);
    for (std::ptrdiff_t p = end_of_parts; p < k; ++p) sum += term(x, y, p);
    return static_cast<Stored>(sum);
  }
  // The parts of Count elements, combined until one vector holds those of each.
  template <int Count, class A, class B>
  [[gnu::always_inline]] static void parts_of(const A& a, const B& b, factor<group>* to) {
    constexpr int vectors = parts / lanes;
    factor<lanes> sum[Count * vectors];
    const auto add = [&](std::ptrdiff_t p, auto first) TAPELESS_INLINED {
      detail::repeated<vectors>([&](int v) TAPELESS_INLINED {
        detail::repeated<Count>([&](int e) TAPELESS_INLINED {
          add_product<Arithmetic>(sum[e * vectors + v], load_factors<Value, lanes, 1>(a(e) + p + v * lanes),
                                  load_factors<Value, lanes, 1>(b(e) + p + v * lanes), first);
        });
      });
    };
    if constexpr (whole > 0) add(0, first_term<(as_tables && vectors > 1)>);
    for (std::ptrdiff_t p = parts; p < whole; p += parts) add(p, next_term);
    if constexpr (whole < end_of_parts) add_last<Count>(a, b, sum);
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
  // The terms that do not fill all parts. What there is none of is -0, which changes no sum.
  template <int Count, class A, class B>
  [[gnu::always_inline]] static void add_last(const A& a, const B& b, factor<lanes>* sum) {
    constexpr int vectors = parts / lanes;
    detail::unrolled<vectors>([&](auto v) TAPELESS_INLINED {
      constexpr std::ptrdiff_t at = whole + v * lanes, left = k - at;
      constexpr int terms = static_cast<int>(left < 0 ? 0 : left < lanes ? left : lanes);
      detail::repeated<Count>([&](int e) TAPELESS_INLINED {
        factor<lanes>& to = sum[e * vectors + v];
        if constexpr (terms > 0) {
          add_product<Arithmetic>(to, load_first_factors<Value, lanes, terms>(a(e) + at, Value(-0.0)),
                                  load_first_factors<Value, lanes, terms>(b(e) + at, Value(0)),
                                  first_term<(as_tables && vectors > 1), (whole == 0)>);
        } else if constexpr (whole == 0) {
          to = spread_factor<Value, lanes>(Value(-0.0));
        }
      });
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
  template <int Blocks, class Held>
  [[gnu::always_inline]] static void totals(Held* sum) {
    if constexpr (Blocks > 1) {
      detail::repeated<Blocks / 2>([&](int i) TAPELESS_INLINED {
        const auto halves = split_blocks<Blocks>(sum[2 * i], sum[2 * i + 1]);
        sum[i] = halves.first + halves.last;
      });
      totals<Blocks / 2>(sum);
    }
  }
};

}  // namespace tapeless::bare_kernels
