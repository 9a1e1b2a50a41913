// SPDX-License-Identifier: BSL-1.0
// A batch of matrix products with constant extents and strides, in vectors where the machine has them. The
// order of sums depends on extents and strides alone, so that bits are the same with vectors of any width and
// without:
// - Where rows of a and columns of b are contiguous and long, each element of c is a sum in parts: term p
// goes to
//   part p mod 16 (8 where there are fewer than 16 terms), the parts are combined by halves, 0 with 8, 1 with
//   9,
//   ..., and then come the terms beyond the last multiple.
// - Else term p goes to sum p mod 1, 2 or 4, the more the fewer elements c has, and these are combined by
// halves.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tapeless/run/bare/bare_memory.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>
#include <tapeless/run/common/element_types.hpp>

namespace tapeless::bare_kernels {

namespace detail {

template <class T, int Width>
struct factor_type {
  using type = typename lanes_with<T, Width>::type::held;
};
template <class T>
struct factor_type<T, 1> {
  using type = T;
};

}  // namespace detail

template <class GraphBuilder, class Layout, int Product>
struct bare_product {
  static void run(const bare_memory& memory, std::ptrdiff_t iteration) {
    batches<0>(start<const stored, product.a.base>(memory, product.a, iteration),
               start<const stored, product.b.base>(memory, product.b, iteration),
               start<stored, product.c.base>(memory, product.c, iteration));
  }

 private:
  static constexpr planned_product product = plan_of<GraphBuilder>.products[Product];
  static constexpr auto m = static_cast<std::ptrdiff_t>(product.m),
                        n = static_cast<std::ptrdiff_t>(product.n),
                        k = static_cast<std::ptrdiff_t>(product.k);
  using stored = storage_of<product.type>;
  using value = computed_as<product.type>;

  static constexpr int row = product.batch_rank, column = row + 1;
  static constexpr auto stride(const access& a, int axis) {
    return static_cast<std::ptrdiff_t>(a.strides[axis]);
  }
  static constexpr std::ptrdiff_t a_row = stride(product.a, row), a_column = stride(product.a, column),
                                  b_row = stride(product.b, row), b_column = stride(product.b, column);

  template <class T, int Base>
  static T* start(const bare_memory& memory, const access& a, std::ptrdiff_t iteration) {
    return elements_of<GraphBuilder, Layout, T, Base>(
        memory,
        static_cast<std::ptrdiff_t>(a.offset) + iteration * static_cast<std::ptrdiff_t>(a.iteration_stride));
  }

  // The order of sums.
  static constexpr bool in_parts = a_column == 1 && b_row == 1 && (b_column != 1 || n == 1) && k >= 8;
  static constexpr int parts = k >= 16 ? 16 : 8;
  static constexpr int sums = k <= 8 || m * n > 64 ? 1 : m* n > 16 ? 2 : 4;

  // Vectors.
  static constexpr int widest = [] {
    if constexpr (std::is_floating_point_v<value>) return vector_width<value>;
    return 1;
  }();
  static constexpr int narrower(int width) { return width <= least_vector_width<value> ? 1 : width / 2; }
  static constexpr int width_for(std::ptrdiff_t count) {
    int width = widest;
    while (width > count) width = narrower(width);
    return width;
  }
  template <int Width>
  using factor = typename detail::factor_type<value, Width>::type;
  template <int Width>
  [[gnu::always_inline]] static factor<Width> spread(value x) {
    if constexpr (Width == 1) {
      return x;
    } else {
      return lanes_with<value, Width>::type::spread(x);
    }
  }
  template <int Width, std::ptrdiff_t Stride>
  [[gnu::always_inline]] static factor<Width> load(const stored* from) {
    if constexpr (Width == 1) {
      return static_cast<value>(*from);
    } else if constexpr (Stride == 1 && std::is_same_v<stored, value>) {
      return lanes_with<value, Width>::type::load(from);
    } else {
      factor<Width> x;
      for (int i = 0; i < Width; ++i) x[i] = static_cast<value>(from[i * Stride]);
      return x;
    }
  }
  template <int Width, std::ptrdiff_t Stride>
  [[gnu::always_inline]] static void put(stored* to, factor<Width> x) {
    if constexpr (Width == 1) {
      *to = static_cast<stored>(x);
    } else if constexpr (Stride == 1 && std::is_same_v<stored, value>) {
      lanes_with<value, Width>::type::store(to, x);
    } else {
      for (int i = 0; i < Width; ++i) to[i * Stride] = static_cast<stored>(x[i]);
    }
  }

  // So many vectors are held at once, of the 16 or more that machines have.
  static constexpr int held_at_once = 8;

  template <int Axis>
  static void batches(const stored* a, const stored* b, stored* c) {
    if constexpr (Axis == product.batch_rank) {
      if constexpr (in_parts) {
        if constexpr (widest == 1) {
          sum_by_sum(a, b, c);
        } else {
          in_vectors_of_parts(a, b, c);
        }
      } else if constexpr (a_row == 1 && width_for(m) > width_for(n)) {
        down<0, width_for(m)>(a, b, c);
      } else {
        across<0, width_for(n)>(a, b, c);
      }
    } else {
      constexpr auto extent = static_cast<std::ptrdiff_t>(product.batch[Axis]);
      for (std::ptrdiff_t i = 0; i < extent; ++i)
        batches<Axis + 1>(a + i * stride(product.a, Axis), b + i * stride(product.b, Axis),
                          c + i * stride(product.c, Axis));
    }
  }

  /// One element of c, by itself or one in each lane: the sums of its terms.
  template <int Width>
  struct partial_sums {
    factor<Width> sum[sums];

    [[gnu::always_inline]] factor<Width> total() const {
      if constexpr (sums == 4) return (sum[0] + sum[2]) + (sum[1] + sum[3]);
      if constexpr (sums == 2) return sum[0] + sum[1];
      return sum[0];
    }
  };
  /// Calls add(p, number of its sum, whether it is its first term) for all terms p.
  template <class F>
  [[gnu::always_inline]] static void for_each_term(const F& add) {
    constexpr std::ptrdiff_t whole = k / sums * sums;
    detail::unrolled<sums>([&](auto sum) { add(std::ptrdiff_t{sum}, sum, std::true_type{}); });
    for (std::ptrdiff_t p = sums; p < whole; p += sums)
      detail::unrolled<sums>([&](auto sum) { add(p + sum, sum, std::false_type{}); });
    detail::unrolled<static_cast<int>(k - whole)>(
        [&](auto sum) { add(whole + sum, sum, std::false_type{}); });
  }
  template <class Sum, class First>
  [[gnu::always_inline]] static void add_product(Sum& sum, const Sum& x, const Sum& y, First) {
    if constexpr (First::value) {
      sum = x * y;
    } else {
      sum += x * y;
    }
  }

  // Columns of c from Begin on, in vectors of Width neighbours in a row.
  template <std::ptrdiff_t Begin, int Width>
  [[gnu::always_inline]] static void across(const stored* a, const stored* b, stored* c) {
    constexpr int most = k <= 8 ? held_at_once / static_cast<int>(k < 1 ? 1 : k)
                                : (sums == 1 && m >= 4 ? 2 : held_at_once / sums);
    constexpr std::ptrdiff_t vectors = (n - Begin) / Width;
    constexpr int together = static_cast<int>(vectors < most ? vectors : most);
    constexpr std::ptrdiff_t step = together * Width, end = Begin + (n - Begin) / step * step;
    for (std::ptrdiff_t j = Begin; j < end; j += step) {
      if constexpr (k <= 8) {
        few_terms<Width, together>(a, b + j * b_column, c + j);
      } else {
        constexpr int together_rows = held_at_once / (sums * together);
        constexpr std::ptrdiff_t rows = m < together_rows ? m : together_rows, whole = m / rows * rows;
        for (std::ptrdiff_t i = 0; i < whole; i += rows)
          tile<Width, static_cast<int>(rows), together>(a + i * a_row, b + j * b_column, c + i * n + j);
        if constexpr (whole < m)
          tile<Width, static_cast<int>(m - whole), together>(a + whole * a_row, b + j * b_column,
                                                             c + whole * n + j);
      }
    }
    if constexpr (end < n) across<end, width_for(n - end) < Width ? width_for(n - end) : Width>(a, b, c);
  }

  // Row after row, with the columns of b in registers.
  template <int Width, int Vectors>
  [[gnu::always_inline]] static void few_terms(const stored* a, const stored* b, stored* c) {
    constexpr int terms = static_cast<int>(k);
    factor<Width> held[terms * Vectors + 1];
    detail::unrolled<Vectors>(
        [&](auto v) { load_columns<Width>(b + v * Width * b_column, held + v * terms); });
    for (std::ptrdiff_t i = 0; i < m; ++i) {
      factor<Width> sum[Vectors] = {};
      detail::unrolled<terms>([&](auto p) {
        const factor<Width> x = spread<Width>(static_cast<value>(a[i * a_row + p * a_column]));
        detail::unrolled<Vectors>(
            [&](auto v) { add_product(sum[v], x, held[v * terms + p], std::bool_constant < p == 0 > {}); });
      });
      detail::unrolled<Vectors>([&](auto v) { put<Width, 1>(c + i * n + v * Width, sum[v]); });
    }
  }
  // Terms of neighbouring columns of b.
  template <int Width>
  [[gnu::always_inline]] static void load_columns(const stored* b, factor<Width>* to) {
    constexpr int terms = static_cast<int>(k);
    if constexpr (Width > 1 && b_row == 1 && b_column == k && (k == 2 || k == 4 || k == 8)) {
      detail::unrolled<terms>([&](auto p) { to[p] = load<Width, 1>(b + p * Width); });
      take_apart<Width, terms>(to);
    } else {
      detail::unrolled<terms>([&](auto p) { to[p] = load<Width, b_column>(b + p * b_row); });
    }
  }
  // Neighbours in memory become elements of Count vectors, and back.
  template <int Width, int Count>
  [[gnu::always_inline]] static void take_apart(factor<Width>* x) {
    if constexpr (Count > 1) {
      factor<Width> even[Count / 2], odd[Count / 2];
      detail::unrolled<Count / 2>([&](auto i) {
        even[i] = every<0, 2, Width>(x[2 * i], x[2 * i + 1]);
        odd[i] = every<1, 2, Width>(x[2 * i], x[2 * i + 1]);
      });
      take_apart<Width, Count / 2>(even);
      take_apart<Width, Count / 2>(odd);
      detail::unrolled<Count / 2>([&](auto i) {
        x[2 * i] = even[i];
        x[2 * i + 1] = odd[i];
      });
    }
  }
  template <int Width, int Count>
  [[gnu::always_inline]] static void put_together(factor<Width>* x) {
    if constexpr (Count > 1) {
      factor<Width> even[Count / 2], odd[Count / 2];
      detail::unrolled<Count / 2>([&](auto i) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
      });
      put_together<Width, Count / 2>(even);
      put_together<Width, Count / 2>(odd);
      detail::unrolled<Count / 2>([&](auto i) {
        x[2 * i] = zipped<0>(even[i], odd[i]);
        x[2 * i + 1] = zipped<1>(even[i], odd[i]);
      });
    }
  }

  // Rows of c and vectors in them, in registers.
  template <int Width, int Rows, int Vectors>
  [[gnu::always_inline]] static void tile(const stored* a, const stored* b, stored* c) {
    partial_sums<Width> all[Rows * Vectors];
    for_each_term([&](std::ptrdiff_t p, auto sum, auto first) {
      factor<Width> y[Vectors];
      detail::unrolled<Vectors>(
          [&](auto v) { y[v] = load<Width, b_column>(b + p * b_row + v * Width * b_column); });
      detail::unrolled<Rows>([&](auto i) {
        const factor<Width> x = spread<Width>(static_cast<value>(a[i * a_row + p * a_column]));
        detail::unrolled<Vectors>(
            [&](auto v) { add_product(all[i * Vectors + v].sum[sum], x, y[v], first); });
      });
    });
    detail::unrolled<Rows>([&](auto i) {
      detail::unrolled<Vectors>(
          [&](auto v) { put<Width, 1>(c + i * n + v * Width, all[i * Vectors + v].total()); });
    });
  }

  // Rows of c from Begin on, in vectors of Width neighbours in a column; there are few columns.
  template <std::ptrdiff_t Begin, int Width>
  [[gnu::always_inline]] static void down(const stored* a, const stored* b, stored* c) {
    constexpr std::ptrdiff_t end = Begin + (m - Begin) / Width * Width;
    constexpr int most = held_at_once / sums, columns = static_cast<int>(n < most ? n : most);
    for (std::ptrdiff_t i = Begin; i < end; i += Width) {
      for (std::ptrdiff_t j = 0; j + columns <= n; j += columns)
        columns_at<Width, columns>(a + i, b + j * b_column, c + i * n + j);
      if constexpr (n % columns != 0)
        columns_at<Width, static_cast<int>(n % columns)>(a + i, b + n / columns * columns * b_column,
                                                         c + i * n + n / columns * columns);
    }
    if constexpr (end < m) down<end, width_for(m - end) < Width ? width_for(m - end) : Width>(a, b, c);
  }
  template <int Width, int Columns>
  [[gnu::always_inline]] static void columns_at(const stored* a, const stored* b, stored* c) {
    partial_sums<Width> all[Columns];
    for_each_term([&](std::ptrdiff_t p, auto sum, auto first) {
      const factor<Width> x = load<Width, 1>(a + p * a_column);
      detail::unrolled<Columns>([&](auto j) {
        add_product(all[j].sum[sum], x, spread<Width>(static_cast<value>(b[p * b_row + j * b_column])),
                    first);
      });
    });
    factor<Width> x[Columns];
    detail::unrolled<Columns>([&](auto j) { x[j] = all[j].total(); });
    if constexpr (Width > 1 && Columns == n && (Columns == 1 || Columns == 2 || Columns == 4)) {
      put_together<Width, Columns>(x);
      detail::unrolled<Columns>([&](auto j) { put<Width, 1>(c + j * Width, x[j]); });
    } else {
      detail::unrolled<Columns>([&](auto j) { put<Width, n>(c + j, x[j]); });
    }
  }

  // Each element of c is a sum in parts.
  static constexpr std::ptrdiff_t end_of_parts = k / parts * parts;
  [[gnu::always_inline]] static value term(const stored* a, const stored* b, std::ptrdiff_t p) {
    return static_cast<value>(a[p]) * static_cast<value>(b[p]);
  }
  static void sum_by_sum(const stored* a, const stored* b, stored* c) {
    for (std::ptrdiff_t i = 0; i < m; ++i)
      for (std::ptrdiff_t j = 0; j < n; ++j) {
        const stored *x = a + i * a_row, *y = b + j * b_column;
        value sum[parts];
        for (std::ptrdiff_t part = 0; part < parts; ++part) sum[part] = term(x, y, part);
        for (std::ptrdiff_t p = parts; p < end_of_parts; p += parts)
          for (std::ptrdiff_t part = 0; part < parts; ++part) sum[part] += term(x, y, p + part);
        for (std::ptrdiff_t half = parts / 2; half > 0; half /= 2)
          for (std::ptrdiff_t part = 0; part < half; ++part) sum[part] += sum[part + half];
        for (std::ptrdiff_t p = end_of_parts; p < k; ++p) sum[0] += term(x, y, p);
        c[i * n + j] = static_cast<stored>(sum[0]);
      }
  }

  // As many elements at once as a vector has lanes, at most 8: neighbours in memory. So many of the parts of
  // each are in a vector.
  static constexpr int lanes = widest < parts ? widest : parts, group = lanes < 8 ? lanes : 8;
  static void in_vectors_of_parts(const stored* a, const stored* b, stored* c) {
    constexpr std::ptrdiff_t count = m * n,
                             grouped = n % group == 0 || group % n == 0 ? count / group * group : 0;
    for (std::ptrdiff_t at = 0; at < grouped; at += group) {
      const stored *x = a + at / n * a_row, *y = b + at % n * b_column;
      factor<group> sum[group];
      // a few at a time, so that parts stay in registers
      constexpr int vectors = parts / lanes,
                    few = group * vectors <= held_at_once ? group : held_at_once / vectors;
      detail::unrolled<group / few>([&](auto part) {
        constexpr int first = part * few;
        parts_of<few>([&](auto e) { return x + (first + e) / n * a_row; },
                      [&](auto e) { return y + (first + e) % n * b_column; }, sum + first);
      });
      totals<group>(sum);
      detail::unrolled<group>([&](auto e) {
        for (std::ptrdiff_t p = end_of_parts; p < k; ++p)
          sum[0][int{e}] += term(x + e / n * a_row, y + e % n * b_column, p);
      });
      put<group, 1>(c + at, sum[0]);
    }
    for (std::ptrdiff_t at = grouped; at < count; ++at) {
      const stored *x = a + at / n * a_row, *y = b + at % n * b_column;
      factor<group> parts_of_it[1];
      parts_of<1>([&](auto) { return x; }, [&](auto) { return y; }, parts_of_it);
      value sum = total_of_lanes(parts_of_it[0]);
      for (std::ptrdiff_t p = end_of_parts; p < k; ++p) sum += term(x, y, p);
      c[at] = static_cast<stored>(sum);
    }
  }
  // The parts of Count elements, combined until one vector holds those of each.
  template <int Count, class A, class B>
  [[gnu::always_inline]] static void parts_of(const A& a, const B& b, factor<group>* to) {
    constexpr int vectors = parts / lanes;
    factor<lanes> sum[Count * vectors];
    const auto add = [&](std::ptrdiff_t p, auto first) {
      detail::unrolled<vectors>([&](auto v) {
        detail::unrolled<Count>([&](auto e) {
          add_product(sum[e * vectors + v], load<lanes, 1>(a(e) + p + v * lanes),
                      load<lanes, 1>(b(e) + p + v * lanes), first);
        });
      });
    };
    add(0, std::true_type{});
    for (std::ptrdiff_t p = parts; p < end_of_parts; p += parts) add(p, std::false_type{});
    detail::unrolled<Count>([&](auto e) {
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
      detail::unrolled<Count / 2>([&](auto i) { sum[i] += sum[i + Count / 2]; });
      halve<Count / 2>(sum);
    }
  }
  // The sum of each of so many vectors' lanes, by halves, becomes a lane of the first one.
  template <int Blocks>
  [[gnu::always_inline]] static void totals(factor<group>* sum) {
    if constexpr (Blocks > 1) {
      detail::unrolled<Blocks / 2>([&](auto i) {
        const factor<group> x = sum[2 * i], y = sum[2 * i + 1];
        sum[i] = half_blocks<0, Blocks>(x, y) + half_blocks<1, Blocks>(x, y);
      });
      totals<Blocks / 2>(sum);
    }
  }
};

}  // namespace tapeless::bare_kernels
