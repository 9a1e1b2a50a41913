// SPDX-License-Identifier: BSL-1.0
// Vectors of which only the first numbers are in memory.
#pragma once

#include <cstdint>

#include <tapeless/run/cpu/vectors/valid_lanes.hpp>

namespace tapeless::cpu_kernels {

/// The first `count` numbers from memory, at least one, and `other` behind them. Nothing beyond is read. All
/// of them where masks_memory alone.
template <class T>
wide<T> load_first(const T* from, std::int64_t count, T other) {
  T all[packet_size<T>];
  for (int i = 0; i < packet_size<T>; ++i) all[i] = i < count ? from[i] : other;
  return load(all);
}

#if defined(EIGEN_VECTORIZE_AVX512)
template <>
inline wide<float> load_first(const float* from, std::int64_t count, float other) {
  return {_mm512_mask_loadu_ps(splat(other).p, valid_lanes<float>(count).mask, from)};
}
template <>
inline wide<double> load_first(const double* from, std::int64_t count, double other) {
  return {_mm512_mask_loadu_pd(splat(other).p, valid_lanes<double>(count).mask, from)};
}
#elif defined(EIGEN_VECTORIZE_AVX)
template <>
inline wide<float> load_first(const float* from, std::int64_t count, float other) {
  alignas(32) static constexpr std::int32_t masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  const __m256 mask = _mm256_castsi256_ps(
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(masks + 8 - static_cast<int>(count))));
  return {_mm256_or_ps(_mm256_maskload_ps(from, _mm256_castps_si256(mask)),
                       _mm256_andnot_ps(mask, _mm256_set1_ps(other)))};
}
template <>
inline wide<double> load_first(const double* from, std::int64_t count, double other) {
  alignas(32) static constexpr std::int64_t masks[8] = {-1, -1, -1, -1};
  const __m256d mask = _mm256_castsi256_pd(
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(masks + 4 - static_cast<int>(count))));
  return {_mm256_or_pd(_mm256_maskload_pd(from, _mm256_castpd_si256(mask)),
                       _mm256_andnot_pd(mask, _mm256_set1_pd(other)))};
}
#elif defined(EIGEN_VECTORIZE_SSE)
template <>
inline wide<float> load_first(const float* from, std::int64_t count, float other) {
  if (count == 1) return {_mm_setr_ps(from[0], other, other, other)};
  return {_mm_setr_ps(from[0], from[1], count == 2 ? other : from[2], other)};
}
template <>
inline wide<double> load_first(const double* from, std::int64_t, double other) {
  return {_mm_setr_pd(from[0], other)};
}
#endif

}  // namespace tapeless::cpu_kernels
