// SPDX-License-Identifier: BSL-1.0
// Functions of the vectors of straight-line code that those of run/bare/ compute number by number: by the
// formulas that tables of kernels have, on Eigen's packets.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/cmath.hpp>
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

}  // namespace detail

namespace detail {

/// a b + c, rounded once where packets are: compilers may contract the sum of a product, or not.
template <class Held>
[[gnu::always_inline]] inline Held multiply_add_as_packets(Held a, Held b, Held c) {
#if defined(EIGEN_VECTORIZE_FMA) || defined(__ARM_FEATURE_FMA)
  if constexpr (std::is_floating_point_v<Held>) {
    return std::fma(a, b, c);
  } else {
#if defined(__clang__)
    return __builtin_elementwise_fma(a, b, c);
#elif defined(__x86_64__) || defined(__i386__)
    if constexpr (sizeof(a[0]) == 4) {
      if constexpr (sizeof(Held) == 16) return __builtin_ia32_vfmaddps(a, b, c);
      if constexpr (sizeof(Held) == 32) return __builtin_ia32_vfmaddps256(a, b, c);
#if defined(__AVX512F__)
      if constexpr (sizeof(Held) == 64)
        return __builtin_ia32_vfmaddps512_mask(a, b, c, static_cast<std::uint16_t>(-1), 4);
#endif
    } else {
      if constexpr (sizeof(Held) == 16) return __builtin_ia32_vfmaddpd(a, b, c);
      if constexpr (sizeof(Held) == 32) return __builtin_ia32_vfmaddpd256(a, b, c);
#if defined(__AVX512F__)
      if constexpr (sizeof(Held) == 64)
        return __builtin_ia32_vfmaddpd512_mask(a, b, c, static_cast<std::uint8_t>(-1), 4);
#endif
    }
#else
    for (int i = 0; i < static_cast<int>(sizeof(Held) / sizeof(a[0])); ++i) c[i] = std::fma(a[i], b[i], c[i]);
    return c;
#endif
  }
#else
  return c + a * b;
#endif
}

}  // namespace detail

/// The arithmetic of straight-line code. One number has the functions of run/bare/, and so have vectors where
/// packets are short.
struct arithmetic_of_tables {
  static constexpr bool sums_as_tables = true;
  template <class T, int Width>
  using lanes = typename detail::lanes_in_packets<T, Width>::type;
  /// The width of tables' vectors, on which the order of sums depends.
  template <class T>
  static constexpr int width_of_tables = packet_size<T>;
  /// a b + c, of numbers or vectors, rounded as tables do.
  template <class Held>
  [[gnu::always_inline]] static Held multiply_add(Held a, Held b, Held c) {
    return detail::multiply_add_as_packets(a, b, c);
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
