// SPDX-License-Identifier: BSL-1.0
// Vectors of the compiler's, as wide as the machine's: the same arithmetic as of numbers, lane by lane, so
// that bits do not depend on their width. What a vector needs that not every compiler spells alike is here.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/square_root.hpp>

namespace tapeless::bare_kernels {

/// The bytes of a vector register whose numbers are IEEE 754's; 0 where there is none.
#if defined(__CUDACC__) || !defined(__GNUC__)
inline constexpr int vector_bytes = 0;
#elif defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#elif defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON)) || defined(__wasm_simd128__)
inline constexpr int vector_bytes = 16;
#else
inline constexpr int vector_bytes = 0;
#endif

/// The lanes of a vector of floats or doubles; 1 where there are no vectors.
template <class T>
inline constexpr int vector_width = vector_bytes == 0 ? 1 : vector_bytes / static_cast<int>(sizeof(T));
/// Vectors of fewer bytes are numbers one by one.
template <class T>
inline constexpr int least_vector_width = 16 / static_cast<int>(sizeof(T));

namespace detail {

/// Calls f with the constants 0, ..., Count - 1.
template <int Count, class F>
[[gnu::always_inline]] inline void unrolled(const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) TAPELESS_INLINED {
    (f(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, Count>{});
}

/// Calls f with 0, ..., Count - 1, in a loop that compilers unroll: where f needs no constants it is compiled
/// once, not once for each number.
template <int Count, class F>
[[gnu::always_inline]] inline void repeated(const F& f) {
  TAPELESS_UNROLLED
  for (int i = 0; i < Count; ++i) f(i);
}

}  // namespace detail

/// What begins where vectors may.
template <class T>
[[gnu::always_inline]] inline T* aligned_for_vectors(T* begin) {
#if defined(__GNUC__) && !defined(__CUDACC__)
  if constexpr (vector_bytes > 0) return static_cast<T*>(__builtin_assume_aligned(begin, vector_bytes));
#endif
  return begin;
}

/// One number, and the types of what is computed of it: `integers` has its size.
template <class T>
struct one_lane {
  using number = T;
  using held = T;
  using bits = typename detail::float_bits<T>::type;
  using integers = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  static constexpr int width = 1;

  static constexpr bool compares_sizes = false;

  static constexpr held spread(T x) { return x; }
  static constexpr integers whole_of(held x) { return static_cast<integers>(x); }
  static constexpr held number_of(integers n) { return static_cast<held>(n); }
  static held root(held x) { return square_root(x); }
};

#if defined(__GNUC__) && !defined(__CUDACC__)

namespace detail {

template <class T, int Width>
struct vector_of {
  typedef T type __attribute__((vector_size(Width * sizeof(T))));
};

}  // namespace detail

/// Width numbers. Precondition: a register of the machine has as many, or more.
template <class T, int Width>
struct vector_lanes {
  using number = T;
  using held = typename detail::vector_of<T, Width>::type;
  using bits = typename detail::vector_of<typename one_lane<T>::bits, Width>::type;
  using integers = typename detail::vector_of<typename one_lane<T>::integers, Width>::type;
  static constexpr int width = Width;

  [[gnu::always_inline]] static held spread(T x) { return x - held{}; }
  [[gnu::always_inline]] static held product(held a, held b) { return a * b; }
  /// Precondition: |x| is below 2^31.
  [[gnu::always_inline]] static integers whole_of(held x) {
    if constexpr (sizeof(T) == 4) {
      return __builtin_convertvector(x, integers);
    } else {  // few machines have it for 64 bits
      return __builtin_convertvector(__builtin_convertvector(x, narrow), integers);
    }
  }
  [[gnu::always_inline]] static held number_of(integers n) {
    if constexpr (sizeof(T) == 4) {
      return __builtin_convertvector(n, held);
    } else {
      return __builtin_convertvector(__builtin_convertvector(n, narrow), held);
    }
  }
  [[gnu::always_inline]] static held root(held x) {
#if defined(__clang__)
    return __builtin_elementwise_sqrt(x);
#else
#if defined(__AVX512F__)
    if constexpr (sizeof(held) == 64 && sizeof(T) == 4)
      return __builtin_ia32_sqrtps512_mask(x, x, static_cast<std::uint16_t>(-1), 4);
    if constexpr (sizeof(held) == 64 && sizeof(T) == 8)
      return __builtin_ia32_sqrtpd512_mask(x, x, static_cast<std::uint8_t>(-1), 4);
#endif
#if defined(__AVX__)
    if constexpr (sizeof(held) == 32 && sizeof(T) == 4) return __builtin_ia32_sqrtps256(x);
    if constexpr (sizeof(held) == 32 && sizeof(T) == 8) return __builtin_ia32_sqrtpd256(x);
#endif
#if defined(__SSE2__)
    if constexpr (sizeof(held) == 16 && sizeof(T) == 4) return __builtin_ia32_sqrtps(x);
    if constexpr (sizeof(held) == 16 && sizeof(T) == 8) return __builtin_ia32_sqrtpd(x);
#else
    for (int i = 0; i < Width; ++i) x[i] = square_root(x[i]);
    return x;
#endif
#endif
  }

  /// a < b ? a : b, which is b where one is NaN. GCC does not know that where one is a constant.
  [[gnu::always_inline]] static held smaller(held a, held b) {
#if !defined(__clang__) && defined(__SSE2__)
    if constexpr (sizeof(T) == 4) {
#if defined(__AVX512F__)
      if constexpr (sizeof(held) == 64)
        return __builtin_ia32_minps512_mask(a, b, a, static_cast<std::uint16_t>(-1), 4);
#endif
#if defined(__AVX__)
      if constexpr (sizeof(held) == 32) return __builtin_ia32_minps256(a, b);
#endif
      if constexpr (sizeof(held) == 16) return __builtin_ia32_minps(a, b);
    }
#endif
    return a < b ? a : b;
  }

  /// Whether numbers are compared by their sizes, |x|, in one instruction.
#if defined(__AVX512DQ__)
  static constexpr bool compares_sizes = sizeof(held) == 64 && sizeof(T) == 4;
  /// The one of smaller size, with the sign of a; where one is NaN, the other's.
  [[gnu::always_inline]] static held of_smaller_size(held a, held b) {
    return __builtin_ia32_rangeps512_mask(a, b, 0b0010, a, static_cast<std::uint16_t>(-1), 4);
  }
  /// The larger size; where one is NaN, the other's.
  [[gnu::always_inline]] static held larger_size(held a, held b) {
    return __builtin_ia32_rangeps512_mask(a, b, 0b1011, a, static_cast<std::uint16_t>(-1), 4);
  }
#else
  static constexpr bool compares_sizes = false;
#endif

  [[gnu::always_inline]] static held load(const T* from) {
    held x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
  }
  [[gnu::always_inline]] static void store(T* to, held x) { __builtin_memcpy(to, &x, sizeof x); }
  /// Conditions, all ones or all zeros, from memory and back.
  [[gnu::always_inline]] static integers load(const bool* from) {
    bytes x;
    __builtin_memcpy(&x, from, sizeof x);
    return -__builtin_convertvector(x, integers);
  }
  [[gnu::always_inline]] static void store(bool* to, integers x) {
    const bytes ones = __builtin_convertvector(x & 1, bytes);
    __builtin_memcpy(to, &ones, sizeof ones);
  }

 private:
  using bytes = typename detail::vector_of<std::int8_t, Width>::type;
  using narrow = typename detail::vector_of<std::int32_t, Width>::type;
};

/// Two neighbours of 4 bytes as one number.
template <class T>
[[gnu::always_inline]] inline std::int64_t load_pair(const T* from) {
  static_assert(sizeof(T) == 4);
  std::int64_t pair;
  __builtin_memcpy(&pair, from, sizeof pair);
  return pair;
}

#else

// Only named, in what is not compiled where there are no vectors.
template <class T, int Width>
struct vector_lanes;
template <class T>
std::int64_t load_pair(const T* from);

#endif

/// The lanes in which Width numbers are computed at once.
template <class T, int Width>
struct lanes_with {
#if defined(__GNUC__) && !defined(__CUDACC__)
  using type = vector_lanes<T, Width>;
#endif
};
template <class T>
struct lanes_with<T, 1> {
  using type = one_lane<T>;
};

}  // namespace tapeless::bare_kernels
