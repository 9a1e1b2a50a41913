// SPDX-License-Identifier: BSL-1.0
// Vectors of pairs of neighbours: the first ones of all pairs, the second ones, and each number twice.
#pragma once

#include <tapeless/run/cpu/vectors/valid_lanes.hpp>

namespace tapeless::cpu_kernels {

/// The numbers 0, 2, 4, ... of two vectors that follow each other, or 1, 3, 5, ...
template <class Packet>
Packet every_second(Packet x, Packet y, int first) {
  using traits = Eigen::internal::unpacket_traits<Packet>;
  constexpr int size = traits::size;
  typename traits::type all[2 * size], to[size];
  Eigen::internal::pstoreu(all, x);
  Eigen::internal::pstoreu(all + size, y);
  for (int i = 0; i < size; ++i) to[i] = all[2 * i + first];
  return Eigen::internal::ploadu<Packet>(to);
}
template <class Packet>
Packet evens(Packet x, Packet y) {
  return every_second(x, y, 0);
}
template <class Packet>
Packet odds(Packet x, Packet y) {
  return every_second(x, y, 1);
}
#ifdef EIGEN_VECTORIZE_SSE2
inline __m128 evens(__m128 x, __m128 y) { return _mm_shuffle_ps(x, y, 0x88); }
inline __m128 odds(__m128 x, __m128 y) { return _mm_shuffle_ps(x, y, 0xdd); }
inline __m128d evens(__m128d x, __m128d y) { return _mm_unpacklo_pd(x, y); }
inline __m128d odds(__m128d x, __m128d y) { return _mm_unpackhi_pd(x, y); }
#endif
#ifdef EIGEN_VECTORIZE_AVX
inline __m256 evens(__m256 x, __m256 y) {
  return _mm256_shuffle_ps(_mm256_permute2f128_ps(x, y, 0x20), _mm256_permute2f128_ps(x, y, 0x31), 0x88);
}
inline __m256 odds(__m256 x, __m256 y) {
  return _mm256_shuffle_ps(_mm256_permute2f128_ps(x, y, 0x20), _mm256_permute2f128_ps(x, y, 0x31), 0xdd);
}
inline __m256d evens(__m256d x, __m256d y) {
  return _mm256_unpacklo_pd(_mm256_permute2f128_pd(x, y, 0x20), _mm256_permute2f128_pd(x, y, 0x31));
}
inline __m256d odds(__m256d x, __m256d y) {
  return _mm256_unpackhi_pd(_mm256_permute2f128_pd(x, y, 0x20), _mm256_permute2f128_pd(x, y, 0x31));
}
#endif
#ifdef EIGEN_VECTORIZE_AVX512
inline __m512 evens(__m512 x, __m512 y) {
  return _mm512_permutex2var_ps(
      x, _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), y);
}
inline __m512 odds(__m512 x, __m512 y) {
  return _mm512_permutex2var_ps(
      x, _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31), y);
}
inline __m512d evens(__m512d x, __m512d y) {
  return _mm512_permutex2var_pd(x, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), y);
}
inline __m512d odds(__m512d x, __m512d y) {
  return _mm512_permutex2var_pd(x, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), y);
}

/// The first number of each of the first so many pairs.
template <class T>
valid_lanes<T> firsts_of_pairs(std::int64_t pairs) {
  valid_lanes<T> lanes(2 * pairs);
  lanes.mask = static_cast<decltype(lanes.mask)>(lanes.mask & 0x5555);
  return lanes;
}

/// Each number of the vector's first half twice, or of its second one.
inline __m512 first_twice(__m512 x) {
  return _mm512_permutex2var_ps(x, _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7), x);
}
inline __m512 second_twice(__m512 x) {
  return _mm512_permutex2var_ps(
      x, _mm512_setr_epi32(8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15), x);
}
inline __m512d first_twice(__m512d x) {
  return _mm512_permutex2var_pd(x, _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3), x);
}
inline __m512d second_twice(__m512d x) {
  return _mm512_permutex2var_pd(x, _mm512_setr_epi64(4, 4, 5, 5, 6, 6, 7, 7), x);
}
#endif

}  // namespace tapeless::cpu_kernels
