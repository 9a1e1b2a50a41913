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
[[gnu::always_inline]] inline packet<T> load_bytes(const bool* from, std::int64_t stride) {
  bits_of<T> all[packet_size<T>];
  for (int i = 0; i < packet_size<T>; ++i) all[i] = -static_cast<bits_of<T>>(from[i * stride]);
  packet<T> result;
  std::memcpy(&result, all, sizeof(all));
  return result;
}
template <class T>
[[gnu::always_inline]] inline void store_bytes(bool* to, std::int64_t stride, packet<T> x) {
  bits_of<T> all[packet_size<T>];
  std::memcpy(all, &x, sizeof(all));
  for (int i = 0; i < packet_size<T>; ++i) to[i * stride] = all[i] != 0;
}

// The second argument says only which vector.
template <class Packet>
Packet load_contiguous(const bool* from, Packet) {
  return load_bytes<typename Eigen::internal::unpacket_traits<Packet>::type>(from, 1);
}
template <class Packet>
void store_contiguous(bool* to, Packet x) {
  store_bytes<typename Eigen::internal::unpacket_traits<Packet>::type>(to, 1, x);
}
#ifdef EIGEN_VECTORIZE_AVX512
inline __m512 load_contiguous(const bool* from, __m512) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_setzero_si512(), _mm512_cvtepu8_epi32(bytes)));
}
inline __m512d load_contiguous(const bool* from, __m512d) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  return _mm512_castsi512_pd(_mm512_sub_epi64(_mm512_setzero_si512(), _mm512_cvtepu8_epi64(bytes)));
}
inline void store_contiguous(bool* to, __m512 x) {
  const __m512i bits = _mm512_srli_epi32(_mm512_castps_si512(x), 31);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(bits));
}
inline void store_contiguous(bool* to, __m512d x) {
  const __m512i bits = _mm512_srli_epi64(_mm512_castpd_si512(x), 63);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm512_cvtepi64_epi8(bits));
}
#endif

}  // namespace detail

template <class T>
wide_mask<T> load_conditions(const bool* from) {
  return {detail::load_contiguous(from, packet<T>{})};
}
template <class T>
wide_mask<T> load_conditions(const bool* from, std::int64_t stride) {
  return {detail::load_bytes<T>(from, stride)};
}
template <class T>
void store(bool* to, wide_mask<T> x) {
  detail::store_contiguous(to, x.p);
}
template <class T>
void store(bool* to, std::int64_t stride, wide_mask<T> x) {
  detail::store_bytes<T>(to, stride, x.p);
}

/// The same condition in all places.
template <class T>
wide_mask<T> splat_condition(bool x) {
  const wide_mask<T> none{Eigen::internal::pset1<packet<T>>(T(0))};
  return x ? !none : none;
}

}  // namespace tapeless::cpu_kernels
