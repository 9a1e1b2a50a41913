// SPDX-License-Identifier: BSL-1.0
// Functions of the vectors of straight-line code that those of run/bare/ compute number by number: by the
// formulas that tables of kernels have, on Eigen's packets.
#pragma once

#include <bit>
#include <type_traits>

#include <tapeless/run/bare/bare_wide.hpp>
#include <tapeless/run/cpu/vectors/vectors.hpp>

namespace tapeless::cpu_kernels {

/// Vectors of Width numbers whose functions are the ones below.
template <class T, int Width>
struct packet_lanes : bare_kernels::lanes_with<T, Width>::type {};

namespace detail {

template <class T, int Width>
struct lanes_in_packets {
  static constexpr bool are_there = many_lanes<T> && Width <= packet_size<T>;
  using type = std::conditional_t<are_there, packet_lanes<T, Width>,
                                  typename bare_kernels::lanes_with<T, Width>::type>;
};
template <class T>
struct lanes_in_packets<T, 1> {
  using type = bare_kernels::one_lane<T>;
};

// Where processors do it in one instruction. Compilers alone would choose which product of a x + b y they
// round.
template <class Held>
[[gnu::always_inline]] inline Held rounded_once(Held x, Held y, Held sum) {
#if defined(EIGEN_VECTORIZE_FMA)
  if constexpr (std::is_same_v<Held, float>) {
    return __builtin_fmaf(x, y, sum);
  } else if constexpr (std::is_same_v<Held, double>) {
    return __builtin_fma(x, y, sum);
  } else {
    constexpr bool of_floats = sizeof(x[0]) == 4;
#if defined(EIGEN_VECTORIZE_AVX512)
    if constexpr (sizeof(Held) == 64) {
      if constexpr (of_floats)
        return std::bit_cast<Held>(
            _mm512_fmadd_ps(std::bit_cast<__m512>(x), std::bit_cast<__m512>(y), std::bit_cast<__m512>(sum)));
      else
        return std::bit_cast<Held>(_mm512_fmadd_pd(std::bit_cast<__m512d>(x), std::bit_cast<__m512d>(y),
                                                   std::bit_cast<__m512d>(sum)));
    }
#endif
    if constexpr (sizeof(Held) == 32) {
      if constexpr (of_floats)
        return std::bit_cast<Held>(
            _mm256_fmadd_ps(std::bit_cast<__m256>(x), std::bit_cast<__m256>(y), std::bit_cast<__m256>(sum)));
      else
        return std::bit_cast<Held>(_mm256_fmadd_pd(std::bit_cast<__m256d>(x), std::bit_cast<__m256d>(y),
                                                   std::bit_cast<__m256d>(sum)));
    }
    if constexpr (sizeof(Held) == 16) {
      if constexpr (of_floats)
        return std::bit_cast<Held>(
            _mm_fmadd_ps(std::bit_cast<__m128>(x), std::bit_cast<__m128>(y), std::bit_cast<__m128>(sum)));
      else
        return std::bit_cast<Held>(
            _mm_fmadd_pd(std::bit_cast<__m128d>(x), std::bit_cast<__m128d>(y), std::bit_cast<__m128d>(sum)));
    }
  }
#else
  return x * y + sum;
#endif
}

}  // namespace detail

/// The arithmetic of straight-line code. One number has the functions of run/bare/, and so have vectors where
/// packets are short.
struct arithmetic_of_tables {
  static constexpr bool sums_as_tables = true;
  template <class T, int Width>
  using lanes = typename detail::lanes_in_packets<T, Width>::type;

  /// The numbers of a vector of tables, on which orders of sums depend.
  template <class T>
  static constexpr int width = packet_size<T>;
  /// x y + sum of numbers or vectors, rounded once where tables' is.
  template <class Held>
  [[gnu::always_inline]] static Held multiply_add(Held x, Held y, Held sum) {
    return detail::rounded_once(x, y, sum);
  }
};

template <class T, int Width>
using straight_wide = bare_kernels::bare_wide<packet_lanes<T, Width>>;

namespace detail {

/// A packet that begins with these numbers. What stands behind them are the same ones.
template <class T, int Width>
[[gnu::always_inline]] inline wide<T> widened(straight_wide<T, Width> x) {
  return {std::bit_cast<packet<T>>(bare_kernels::repeated_lanes<packet_size<T>>(x.x))};
}
template <int Width, class T>
[[gnu::always_inline]] inline straight_wide<T, Width> narrowed(wide<T> x) {
  using all = typename bare_kernels::vector_lanes<T, packet_size<T>>::held;
  const auto held = std::bit_cast<all>(x.p);
  if constexpr (Width == packet_size<T>) {
    return {held};
  } else {
    return {bare_kernels::every<0, 1, Width>(held, held)};
  }
}

}  // namespace detail

template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> log1p(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(log1p(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> expm1(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(expm1(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> exp2(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(exp2(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> log2(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(log2(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> sin(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(sin(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> cos(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(cos(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> tan(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(tan(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> asin(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(asin(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> acos(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(acos(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> atan(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(atan(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> sinh(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(sinh(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> cosh(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(cosh(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> erf(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(erf(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> erfc(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(erfc(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> floor(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(floor(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> ceil(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(ceil(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> trunc(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(trunc(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> nearbyint(straight_wide<T, Width> x) {
  return detail::narrowed<Width>(nearbyint(detail::widened(x)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> pow(straight_wide<T, Width> x,
                                                          straight_wide<T, Width> y) {
  return detail::narrowed<Width>(pow(detail::widened(x), detail::widened(y)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> atan2(straight_wide<T, Width> x,
                                                            straight_wide<T, Width> y) {
  return detail::narrowed<Width>(atan2(detail::widened(x), detail::widened(y)));
}
template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> remainder_of(straight_wide<T, Width> x,
                                                                   straight_wide<T, Width> y) {
  return detail::narrowed<Width>(remainder_of(detail::widened(x), detail::widened(y)));
}

}  // namespace tapeless::cpu_kernels
