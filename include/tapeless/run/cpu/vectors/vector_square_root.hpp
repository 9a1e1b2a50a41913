// SPDX-License-Identifier: BSL-1.0
// Square roots of vectors, rounded as IEEE 754 has it.
#pragma once

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/run/cpu/vectors/eigen.hpp>
#include <tapeless/run/cpu/vectors/vector_selection.hpp>

namespace tapeless::cpu_kernels {

/// Eigen's is an approximation on some targets, which gives NaN for infinity and 0 for -0 and for what is
/// subnormal. Where the target has an exact instruction this is it, and no slower.
template <class Packet>
Packet square_root(Packet x) {
  using number = typename Eigen::internal::unpacket_traits<Packet>::type;
  const wide<number> all{x};
  const wide_mask<number> itself = all == splat(number(0)) || all == splat(above_all<number>);
  return choose(itself, all, wide<number>{Eigen::internal::psqrt(x)}).p;
}
#ifdef EIGEN_VECTORIZE_SSE2
inline __m128 square_root(__m128 x) { return _mm_sqrt_ps(x); }
inline __m128d square_root(__m128d x) { return _mm_sqrt_pd(x); }
#endif
#ifdef EIGEN_VECTORIZE_AVX
inline __m256 square_root(__m256 x) { return _mm256_sqrt_ps(x); }
inline __m256d square_root(__m256d x) { return _mm256_sqrt_pd(x); }
#endif
#ifdef EIGEN_VECTORIZE_AVX512
inline __m512 square_root(__m512 x) { return _mm512_sqrt_ps(x); }
inline __m512d square_root(__m512d x) { return _mm512_sqrt_pd(x); }
#endif
template <class T>
wide<T> sqrt(wide<T> x) {
  return {square_root(x.p)};
}

}  // namespace tapeless::cpu_kernels
