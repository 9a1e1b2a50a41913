// SPDX-License-Identifier: BSL-1.0
// What is chosen by comparisons of vectors.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/run/cpu/vectors/wide_mask.hpp>

namespace tapeless::cpu_kernels {

template <class T>
wide<T> choose(wide_mask<T> condition, wide<T> a, wide<T> b) {
  return {detail::mask_functions<T>::choose(condition.p, a.p, b.p)};
}
template <class T>
wide_mask<T> choose(wide_mask<T> condition, wide_mask<T> a, wide_mask<T> b) {
  return (condition && a) || (!condition && b);
}
/// The first so many of x's numbers, then the others' stand-in.
template <class T>
wide<T> first_lanes(wide<T> x, std::int64_t count, T other) {
  const wide<T> lanes{Eigen::internal::plset<packet<T>>(T(0))};
  return choose(lanes < splat(static_cast<T>(count)), x, splat(other));
}

/// 1 where the condition holds, 0 elsewhere.
template <class T>
wide<T> as_numbers(wide_mask<T> condition) {
  return {detail::mask_functions<T>::keep(condition.p, splat(T(1)).p)};
}

/// Where the number is not 0.
template <class T>
wide_mask<T> as_conditions(wide<T> x) {
  return x != splat(T(0));
}

template <class T>
wide<T> larger(wide<T> a, wide<T> b) {
  return choose(only_finite ? a < b : (a < b) || (b != b), b, a);
}
template <class T>
wide<T> smaller(wide<T> a, wide<T> b) {
  return choose(only_finite ? b < a : (b < a) || (b != b), b, a);
}
template <class T>
wide<T> positive_part(wide<T> x) {
  return choose(x < splat(T(0)), splat(T(0)), x);
}
template <class T>
wide<T> sign_of(wide<T> x) {
  const wide<T> zero = splat(T(0)), one = splat(T(1));
  return choose(x > zero, one, choose(x < zero, -one, x));
}

/// x where a is equal to b, else 0.
template <class T>
wide<T> where_equal(wide<T> a, wide<T> b, wide<T> x) {
  return {detail::mask_functions<T>::keep((a == b).p, x.p)};
}

// An instruction's maximum is its second operand where one is NaN, or both are equal.
#ifdef EIGEN_VECTORIZE_AVX512
inline wide<float> larger(wide<float> a, wide<float> b) {
  return {_mm512_mask_mov_ps(_mm512_max_ps(b.p, a.p), _mm512_cmp_ps_mask(b.p, b.p, _CMP_UNORD_Q), b.p)};
}
inline wide<double> larger(wide<double> a, wide<double> b) {
  return {_mm512_mask_mov_pd(_mm512_max_pd(b.p, a.p), _mm512_cmp_pd_mask(b.p, b.p, _CMP_UNORD_Q), b.p)};
}
inline wide<float> positive_part(wide<float> x) { return {_mm512_max_ps(_mm512_setzero_ps(), x.p)}; }
inline wide<double> positive_part(wide<double> x) { return {_mm512_max_pd(_mm512_setzero_pd(), x.p)}; }
#endif

}  // namespace tapeless::cpu_kernels
