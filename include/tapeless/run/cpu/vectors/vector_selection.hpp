// SPDX-License-Identifier: BSL-1.0
// Comparisons of vectors, and what is chosen by them.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/run/cpu/vectors/vector_arithmetic.hpp>

namespace tapeless::cpu_kernels {

/// packet_size<T> conditions, each all ones or all zeros in T's bits.
template <class T>
struct wide_mask {
  packet<T> p;
};

template <class T>
wide_mask<T> operator<(wide<T> a, wide<T> b) {
  return {Eigen::internal::pcmp_lt(a.p, b.p)};
}
template <class T>
wide_mask<T> operator<=(wide<T> a, wide<T> b) {
  return {Eigen::internal::pcmp_le(a.p, b.p)};
}
template <class T>
wide_mask<T> operator==(wide<T> a, wide<T> b) {
  return {Eigen::internal::pcmp_eq(a.p, b.p)};
}
template <class T>
wide_mask<T> operator!(wide_mask<T> a) {
  using namespace Eigen::internal;
  // As a number, a constant of ones is NaN: clang returns anything then from a function.
  if constexpr (only_finite)
    return {pcmp_eq(pand(a.p, pset1<packet<T>>(T(1))), pset1<packet<T>>(T(0)))};
  else
    return {pxor(a.p, ptrue(a.p))};
}
template <class T>
wide_mask<T> operator&&(wide_mask<T> a, wide_mask<T> b) {
  return {Eigen::internal::pand(a.p, b.p)};
}
template <class T>
wide_mask<T> operator||(wide_mask<T> a, wide_mask<T> b) {
  return {Eigen::internal::por(a.p, b.p)};
}
template <class T>
wide_mask<T> operator!=(wide_mask<T> a, wide_mask<T> b) {
  return {Eigen::internal::pxor(a.p, b.p)};
}
template <class T>
wide_mask<T> operator==(wide_mask<T> a, wide_mask<T> b) {
  return !(a != b);
}
template <class T>
wide_mask<T> operator>(wide<T> a, wide<T> b) {
  return b < a;
}
template <class T>
wide_mask<T> operator>=(wide<T> a, wide<T> b) {
  return b <= a;
}
template <class T>
wide_mask<T> operator!=(wide<T> a, wide<T> b) {
  return !(a == b);
}

template <class T>
wide<T> choose(wide_mask<T> condition, wide<T> a, wide<T> b) {
  return {Eigen::internal::pselect(condition.p, a.p, b.p)};
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
  return {Eigen::internal::pand(condition.p, Eigen::internal::pset1<packet<T>>(T(1)))};
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
  return {Eigen::internal::pand((a == b).p, x.p)};
}

// The same by masks, of which Eigen makes vectors. An instruction's maximum is its second operand where one
// is NaN, or both are equal.
#ifdef EIGEN_VECTORIZE_AVX512
inline wide<float> larger(wide<float> a, wide<float> b) {
  return {_mm512_mask_mov_ps(_mm512_max_ps(b.p, a.p), _mm512_cmp_ps_mask(b.p, b.p, _CMP_UNORD_Q), b.p)};
}
inline wide<double> larger(wide<double> a, wide<double> b) {
  return {_mm512_mask_mov_pd(_mm512_max_pd(b.p, a.p), _mm512_cmp_pd_mask(b.p, b.p, _CMP_UNORD_Q), b.p)};
}
inline wide<float> positive_part(wide<float> x) { return {_mm512_max_ps(_mm512_setzero_ps(), x.p)}; }
inline wide<double> positive_part(wide<double> x) { return {_mm512_max_pd(_mm512_setzero_pd(), x.p)}; }
inline wide<float> where_equal(wide<float> a, wide<float> b, wide<float> x) {
  return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a.p, b.p, _CMP_EQ_OQ), x.p)};
}
inline wide<double> where_equal(wide<double> a, wide<double> b, wide<double> x) {
  return {_mm512_maskz_mov_pd(_mm512_cmp_pd_mask(a.p, b.p, _CMP_EQ_OQ), x.p)};
}
#endif

template <class T>
bool any(wide_mask<T> condition) {
  return Eigen::internal::predux_any(condition.p);
}

}  // namespace tapeless::cpu_kernels
