// SPDX-License-Identifier: BSL-1.0
// Squares of as many vectors as one has numbers: transposed, and added up along their vectors.
#pragma once

#include <type_traits>
#include <utility>

#include <tapeless/run/cpu/vectors/vector_arithmetic.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

// Deduced: as an argument that is written down its alignment would be lost, with a warning.
template <class Packet>
Eigen::internal::PacketBlock<Packet, Eigen::internal::unpacket_traits<Packet>::size> square_of(Packet) {
  return {};
}

}  // namespace detail

/// packet_size<T> vectors.
template <class T>
using square = decltype(detail::square_of(packet<T>{}));

template <class Square>
[[gnu::always_inline]] inline void transpose_vectors(Square& x) {
  Eigen::internal::ptranspose(x);
}

namespace detail {

// Adds the last half of so many vectors to the first one until one is left.
template <int Count, class Packet>
[[gnu::always_inline]] inline void add_by_halves(Packet* x) {
  if constexpr (Count > 1) {
    for (int i = 0; i < Count / 2; ++i) x[i] = Eigen::internal::padd(x[i], x[i + Count / 2]);
    add_by_halves<Count / 2>(x);
  }
}

}  // namespace detail

/// Number i of the result is the sum of vector i's numbers, by halves. The square is lost.
template <class T>
[[gnu::always_inline]] inline wide<T> sums_of_vectors(square<T>& x) {
  transpose_vectors(x);
  detail::add_by_halves<packet_size<T>>(x.packet);
  return {x.packet[0]};
}

/// Vectors that sums_of_few_vectors adds up.
template <class T>
inline constexpr int few_vectors = packet_size<T> < 4 ? packet_size<T> : 4;

namespace detail {

template <class T, class Packet>
[[gnu::always_inline]] inline void sums_of_few(const Packet* x, T* to) {
  constexpr int size = Eigen::internal::unpacket_traits<Packet>::size;
  if constexpr (size > few_vectors<T>) {
    using half = decltype(Eigen::internal::predux_half_dowto4(x[0]));
    const half halves[] = {
        Eigen::internal::predux_half_dowto4(x[0]), Eigen::internal::predux_half_dowto4(x[1]),
        Eigen::internal::predux_half_dowto4(x[2]), Eigen::internal::predux_half_dowto4(x[3])};
    sums_of_few(halves, to);
  } else {
    auto square = square_of(Packet{});
    for (int i = 0; i < size; ++i) square.packet[i] = x[i];
    if constexpr (size > 1) Eigen::internal::ptranspose(square);
    add_by_halves<size>(square.packet);
    Eigen::internal::pstoreu(to, square.packet[0]);
  }
}

}  // namespace detail

/// Number i at `to` becomes the sum of vector i's numbers, by halves.
template <class T>
[[gnu::always_inline]] inline void sums_of_few_vectors(const packet<T>* x, T* to) {
  detail::sums_of_few<T>(x, to);
}

#ifdef EIGEN_VECTORIZE_AVX512
namespace detail {

// Rows 4 I to 4 I + 3 become columns in each quarter of the vectors.
template <int... I>
[[gnu::always_inline]] inline void transpose_quarters(__m512* v, std::integer_sequence<int, I...>) {
  const auto four = [](__m512* r) {
    const __m512 a = _mm512_unpacklo_ps(r[0], r[1]), b = _mm512_unpackhi_ps(r[0], r[1]),
                 c = _mm512_unpacklo_ps(r[2], r[3]), d = _mm512_unpackhi_ps(r[2], r[3]);
    r[0] = _mm512_shuffle_ps(a, c, 0x44);
    r[1] = _mm512_shuffle_ps(a, c, 0xee);
    r[2] = _mm512_shuffle_ps(b, d, 0x44);
    r[3] = _mm512_shuffle_ps(b, d, 0xee);
  };
  (four(v + 4 * I), ...);
}
// The quarters of the vectors I, 4 + I, 8 + I and 12 + I are moved likewise.
template <int... I>
[[gnu::always_inline]] inline void move_quarters(__m512* v, std::integer_sequence<int, I...>) {
  const auto four = [](__m512* r) {
    const __m512 a = _mm512_shuffle_f32x4(r[0], r[4], 0x44), b = _mm512_shuffle_f32x4(r[0], r[4], 0xee),
                 c = _mm512_shuffle_f32x4(r[8], r[12], 0x44), d = _mm512_shuffle_f32x4(r[8], r[12], 0xee);
    r[0] = _mm512_shuffle_f32x4(a, c, 0x88);
    r[4] = _mm512_shuffle_f32x4(a, c, 0xdd);
    r[8] = _mm512_shuffle_f32x4(b, d, 0x88);
    r[12] = _mm512_shuffle_f32x4(b, d, 0xdd);
  };
  (four(v + I), ...);
}
template <int... I>
[[gnu::always_inline]] inline void add_halves(__m512* v, std::integer_sequence<int, I...>) {
  ((v[I] = _mm512_add_ps(_mm512_shuffle_f32x4(v[I], v[I + 8], 0x44),
                         _mm512_shuffle_f32x4(v[I], v[I + 8], 0xee))),
   ...);
}
template <int... I>
[[gnu::always_inline]] inline void add_quarters(__m512* v, std::integer_sequence<int, I...>) {
  ((v[I] = _mm512_add_ps(_mm512_shuffle_f32x4(v[I], v[I + 4], 0x88),
                         _mm512_shuffle_f32x4(v[I], v[I + 4], 0xdd))),
   ...);
}
[[gnu::always_inline]] inline __m512 add_pairs(__m512 a, __m512 b) {
  return _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
}

}  // namespace detail

// Eigen's takes twice as many instructions.
[[gnu::always_inline]] inline void transpose_vectors(square<float>& x) {
  detail::transpose_quarters(x.packet, std::make_integer_sequence<int, 4>{});
  detail::move_quarters(x.packet, std::make_integer_sequence<int, 4>{});
}
// Each step adds the halves of two vectors to one another.
template <>
[[gnu::always_inline]] inline wide<float> sums_of_vectors<float>(square<float>& x) {
  __m512* const v = x.packet;
  detail::add_halves(v, std::make_integer_sequence<int, 8>{});
  detail::add_quarters(v, std::make_integer_sequence<int, 4>{});
  const __m512 sums = detail::add_pairs(detail::add_pairs(v[0], v[2]), detail::add_pairs(v[1], v[3]));
  return {_mm512_shuffle_f32x4(sums, sums, 0xd8)};  // they are of vectors 0 to 3, 8 to 11, 4 to 7, 12 to 15
}
template <>
[[gnu::always_inline]] inline void sums_of_few_vectors<float>(const __m512* x, float* to) {
  const auto add = [](__m512 a, __m512 b, auto first, auto second) {
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, decltype(first)::value),
                         _mm512_shuffle_f32x4(a, b, decltype(second)::value));
  };
  constexpr std::integral_constant<int, 0x44> low{};
  constexpr std::integral_constant<int, 0xee> high{};
  constexpr std::integral_constant<int, 0x88> even{};
  constexpr std::integral_constant<int, 0xdd> odd{};
  __m512 sums = add(add(x[0], x[1], low, high), add(x[2], x[3], low, high), even, odd);
  sums = _mm512_add_ps(sums, _mm512_permute_ps(sums, 0x4e));
  sums = _mm512_add_ps(sums, _mm512_permute_ps(sums, 0xb1));
  const __m512i firsts = _mm512_setr_epi32(0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12);
  _mm_storeu_ps(to, _mm512_castps512_ps128(_mm512_permutexvar_ps(firsts, sums)));
}
template <>
[[gnu::always_inline]] inline void sums_of_few_vectors<double>(const __m512d* x, double* to) {
  const auto add = [](__m512d a, __m512d b, auto first, auto second) {
    return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, decltype(first)::value),
                         _mm512_shuffle_f64x2(a, b, decltype(second)::value));
  };
  constexpr std::integral_constant<int, 0x44> low{};
  constexpr std::integral_constant<int, 0xee> high{};
  constexpr std::integral_constant<int, 0x88> even{};
  constexpr std::integral_constant<int, 0xdd> odd{};
  __m512d sums = add(add(x[0], x[1], low, high), add(x[2], x[3], low, high), even, odd);
  sums = _mm512_add_pd(sums, _mm512_permute_pd(sums, 0x55));
  _mm256_storeu_pd(
      to, _mm512_castpd512_pd256(_mm512_permutexvar_pd(_mm512_setr_epi64(0, 2, 4, 6, 0, 2, 4, 6), sums)));
}
#endif

}  // namespace tapeless::cpu_kernels
