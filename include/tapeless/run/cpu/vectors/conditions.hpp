// SPDX-License-Identifier: BSL-1.0
// Vectors of conditions in memory, where each is a byte.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tapeless/run/cpu/vectors/vector_selection.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

template <class T>
using bits_of = std::conditional_t<sizeof(T) == sizeof(std::int32_t), std::int32_t, std::int64_t>;

template <class T>
[[gnu::always_inline]] inline wide_mask<T> load_bytes(const bool* from, std::int64_t stride) {
  wide_mask<T> result{};
  if constexpr (mask_functions<T>::is_bits) {
    for (int i = 0; i < packet_size<T>; ++i)
      result.p = static_cast<mask_functions<T>::mask>(result.p | (from[i * stride] << i));
  } else {
    bits_of<T> all[packet_size<T>];
    for (int i = 0; i < packet_size<T>; ++i) all[i] = -static_cast<bits_of<T>>(from[i * stride]);
    std::memcpy(&result.p, all, sizeof(all));
  }
  return result;
}
template <class T>
[[gnu::always_inline]] inline void store_bytes(bool* to, std::int64_t stride, wide_mask<T> x) {
  if constexpr (mask_functions<T>::is_bits) {
    for (int i = 0; i < packet_size<T>; ++i) to[i * stride] = (x.p >> i & 1) != 0;
  } else {
    bits_of<T> all[packet_size<T>];
    std::memcpy(all, &x.p, sizeof(all));
    for (int i = 0; i < packet_size<T>; ++i) to[i * stride] = all[i] != 0;
  }
}

// The second argument says only of which numbers.
template <class T>
wide_mask<T> load_contiguous(const bool* from, wide_mask<T>) {
  return load_bytes<T>(from, 1);
}
template <class T>
void store_contiguous(bool* to, wide_mask<T> x) {
  store_bytes(to, 1, x);
}
#ifdef EIGEN_VECTORIZE_AVX512
inline wide_mask<float> load_contiguous(const bool* from, wide_mask<float>) {
  const __m512i bytes = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  return {_mm512_test_epi32_mask(bytes, bytes)};
}
inline wide_mask<double> load_contiguous(const bool* from, wide_mask<double>) {
  const __m512i bytes = _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  return {_mm512_test_epi64_mask(bytes, bytes)};
}
inline void store_contiguous(bool* to, wide_mask<float> x) {
  const __m512i ones = _mm512_maskz_set1_epi32(x.p, 1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(ones));
}
inline void store_contiguous(bool* to, wide_mask<double> x) {
  const __m512i ones = _mm512_maskz_set1_epi64(x.p, 1);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm512_cvtepi64_epi8(ones));
}
#endif

}  // namespace detail

template <class T>
wide_mask<T> load_conditions(const bool* from) {
  return detail::load_contiguous(from, wide_mask<T>{});
}
template <class T>
wide_mask<T> load_conditions(const bool* from, std::int64_t stride) {
  return detail::load_bytes<T>(from, stride);
}
template <class T>
void store(bool* to, wide_mask<T> x) {
  detail::store_contiguous(to, x);
}
template <class T>
void store(bool* to, std::int64_t stride, wide_mask<T> x) {
  detail::store_bytes(to, stride, x);
}

}  // namespace tapeless::cpu_kernels
