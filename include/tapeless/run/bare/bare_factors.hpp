// SPDX-License-Identifier: BSL-1.0
// Factors of products in vectors, from memory and back: neighbours, or every so many numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>

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

/// Width numbers, or one.
template <class T, int Width>
using factors = typename detail::factor_type<T, Width>::type;

template <class T, int Width>
[[gnu::always_inline]] inline factors<T, Width> spread_factor(T x) {
  if constexpr (Width == 1) {
    return x;
  } else {
    return lanes_with<T, Width>::type::spread(x);
  }
}
/// Two neighbours of 4 bytes in turn.
template <class T, int Width>
[[gnu::always_inline]] inline factors<T, Width> spread_pair(const T* from) {
  using pairs = typename vector_lanes<double, Width / 2>::integers;
  return std::bit_cast<factors<T, Width>>(pairs{} + load_pair(from));
}
template <class T, int Width, std::ptrdiff_t Stride, class Stored>
[[gnu::always_inline]] inline factors<T, Width> load_factors(const Stored* from) {
  if constexpr (Width == 1) {
    return static_cast<T>(*from);
  } else if constexpr (Stride == 1 && std::is_same_v<Stored, T>) {
    return lanes_with<T, Width>::type::load(from);
  } else {
    factors<T, Width> x;
    for (int i = 0; i < Width; ++i) x[i] = static_cast<T>(from[i * Stride]);
    return x;
  }
}
template <class T, int Width, std::ptrdiff_t Stride, class Stored>
[[gnu::always_inline]] inline void put_factors(Stored* to, factors<T, Width> x) {
  if constexpr (Width == 1) {
    *to = static_cast<Stored>(x);
  } else if constexpr (Stride == 1 && std::is_same_v<Stored, T>) {
    lanes_with<T, Width>::type::store(to, x);
  } else {
    for (int i = 0; i < Width; ++i) to[i * Stride] = static_cast<Stored>(x[i]);
  }
}

/// The first Count of them from memory, and others behind them. Reads nothing beyond.
template <class T, int Width, int Count>
[[gnu::always_inline]] inline factors<T, Width> load_first_factors(const T* from, T other) {
  constexpr int half = Width / 2;
  constexpr auto both = std::make_integer_sequence<int, Width>{};
  if constexpr (Count == Width) {
    return load_factors<T, Width, 1>(from);
  } else if constexpr (half < least_vector_width<T>) {
    factors<T, Width> x = spread_factor<T, Width>(other);
    for (int i = 0; i < Count; ++i) x[i] = from[i];
    return x;
  } else if constexpr (Count <= half) {
    return detail::shuffled(load_first_factors<T, half, Count>(from, other), spread_factor<T, half>(other),
                            both);
  } else {
    return detail::shuffled(load_factors<T, half, 1>(from),
                            load_first_factors<T, half, Count - half>(from + half, other), both);
  }
}

/// The first Count of them, neighbours.
template <class T, int Width, int Count, class Stored>
[[gnu::always_inline]] inline void put_first(Stored* to, factors<T, Width> x) {
  constexpr int half = Width / 2;
  if constexpr (Count == Width) {
    put_factors<T, Width, 1>(to, x);
  } else if constexpr (half < least_vector_width<T>) {
    for (int i = 0; i < Count; ++i) to[i] = static_cast<Stored>(x[i]);
  } else {
    put_first<T, half, (Count < half ? Count : half)>(to, every<0, 1, half>(x, x));
    if constexpr (Count > half) put_first<T, half, Count - half>(to + half, every<half, 1, half>(x, x));
  }
}

/// Whether a term is the first one of a sum. Where sums are as in tables, which round it by itself, it may be
/// added to another sum's at once: compilers would round it together with that.
template <bool IsFirst, bool IsRounded>
struct term_of_sum {};
template <bool IsRounded, bool IsFirst = true>
inline constexpr term_of_sum<IsFirst, IsRounded> first_term{};
inline constexpr term_of_sum<false, false> next_term{};

/// sum = x y, or sum += x y where it is not the first term.
template <class Arithmetic, class Sum, bool IsFirst, bool IsRounded>
[[gnu::always_inline]] inline void add_product(Sum& sum, const Sum& x, const Sum& y,
                                               term_of_sum<IsFirst, IsRounded>) {
  if constexpr (IsFirst && IsRounded) {
    sum = Arithmetic::multiply_add(x, y, -Sum{});
  } else if constexpr (IsFirst) {
    sum = x * y;
  } else if constexpr (Arithmetic::sums_as_tables) {
    sum = Arithmetic::multiply_add(x, y, sum);
  } else {
    sum += x * y;
  }
}

/// Neighbours in memory become elements of Count vectors: those of the first ones, then of the second ones.
template <int Width, int Count, class Held>
[[gnu::always_inline]] inline void take_apart(Held* x) {
  if constexpr (Count > 1) {
    Held even[Count / 2], odd[Count / 2];
    detail::repeated<Count / 2>([&](int i) TAPELESS_INLINED {
      const auto pairs = split_blocks<2>(x[2 * i], x[2 * i + 1]);
      even[i] = pairs.first;
      odd[i] = pairs.last;
    });
    take_apart<Width, Count / 2>(even);
    take_apart<Width, Count / 2>(odd);
    detail::repeated<Count / 2>([&](int i) TAPELESS_INLINED {
      x[2 * i] = even[i];
      x[2 * i + 1] = odd[i];
    });
  }
}
/// And back.
template <int Count, class Held>
[[gnu::always_inline]] inline void put_together(Held* x) {
  if constexpr (Count > 1) {
    Held even[Count / 2], odd[Count / 2];
    detail::repeated<Count / 2>([&](int i) TAPELESS_INLINED {
      even[i] = x[2 * i];
      odd[i] = x[2 * i + 1];
    });
    put_together<Count / 2>(even);
    put_together<Count / 2>(odd);
    detail::repeated<Count / 2>([&](int i) TAPELESS_INLINED {
      x[2 * i] = zipped<0>(even[i], odd[i]);
      x[2 * i + 1] = zipped<1>(even[i], odd[i]);
    });
  }
}

/// Columns of so many terms become rows of Width numbers, the first Columns of which are there; the others
/// are 0. A row begins every RowStride numbers.
template <class T, int Width, int Columns, std::ptrdiff_t Terms, std::ptrdiff_t Stride,
          std::ptrdiff_t RowStride, class Stored>
[[gnu::always_inline]] inline void pack_columns(const Stored* from, T* to) {
  if constexpr (std::is_same_v<Stored, T> && Terms >= Width) {
    for (std::ptrdiff_t p = 0;; p += Width) {
      if (p > Terms - Width) p = Terms - Width;  // the last ones once more
      factors<T, Width> x[Width];
      detail::repeated<Width>([&](int j) TAPELESS_INLINED {
        x[j] = j < Columns ? load_factors<T, Width, 1>(from + p + j * Stride) : factors<T, Width>{};
      });
      put_together<Width>(x);
      detail::repeated<Width>(
          [&](int i) TAPELESS_INLINED { put_factors<T, Width, 1>(to + (p + i) * RowStride, x[i]); });
      if (p == Terms - Width) break;
    }
  } else {
    for (std::ptrdiff_t p = 0; p < Terms; ++p)
      for (int j = 0; j < Width; ++j)
        to[p * RowStride + j] = j < Columns ? static_cast<T>(from[p + j * Stride]) : T(0);
  }
}

}  // namespace tapeless::bare_kernels
