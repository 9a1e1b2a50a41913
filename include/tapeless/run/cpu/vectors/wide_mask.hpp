// SPDX-License-Identifier: BSL-1.0
// Conditions of vectors, as the machine holds them: a bit a number with AVX-512, elsewhere all of its bits.
#pragma once

#include <tapeless/run/cpu/vectors/vector_arithmetic.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// How vectors of T are compared, and what is chosen by that. Comparisons with NaN are false.
template <class T>
struct mask_functions {
  using mask = packet<T>;
  static constexpr bool is_bits = false;
  static mask less(packet<T> a, packet<T> b) { return Eigen::internal::pcmp_lt(a, b); }
  static mask less_or_equal(packet<T> a, packet<T> b) { return Eigen::internal::pcmp_le(a, b); }
  static mask equal(packet<T> a, packet<T> b) { return Eigen::internal::pcmp_eq(a, b); }
  static mask both(mask a, mask b) { return Eigen::internal::pand(a, b); }
  static mask either(mask a, mask b) { return Eigen::internal::por(a, b); }
  static mask one_of(mask a, mask b) { return Eigen::internal::pxor(a, b); }
  static mask opposite(mask a) {
    using namespace Eigen::internal;
    // As a number, a constant of ones is NaN: clang returns anything then from a function.
    if constexpr (only_finite)
      return pcmp_eq(pand(a, pset1<packet<T>>(T(1))), pset1<packet<T>>(T(0)));
    else
      return pxor(a, ptrue(a));
  }
  static mask none() { return Eigen::internal::pset1<packet<T>>(T(0)); }
  static bool any(mask a) { return Eigen::internal::predux_any(a); }
  static packet<T> choose(mask a, packet<T> yes, packet<T> no) {
    return Eigen::internal::pselect(a, yes, no);
  }
  /// x where the condition holds, 0 elsewhere.
  static packet<T> keep(mask a, packet<T> x) { return Eigen::internal::pand(a, x); }
};

#ifdef EIGEN_VECTORIZE_AVX512
// Eigen makes vectors of the bits, which takes two instructions more for each choice.
template <class Bits>
struct mask_bits {
  using mask = Bits;
  static constexpr bool is_bits = true;
  static mask both(mask a, mask b) { return static_cast<mask>(a & b); }
  static mask either(mask a, mask b) { return static_cast<mask>(a | b); }
  static mask one_of(mask a, mask b) { return static_cast<mask>(a ^ b); }
  static mask opposite(mask a) { return static_cast<mask>(~a); }
  static mask none() { return 0; }
  static bool any(mask a) { return a != 0; }
};
template <>
struct mask_functions<float> : mask_bits<__mmask16> {
  static mask less(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
  static mask less_or_equal(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
  static mask equal(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
  static __m512 choose(mask a, __m512 yes, __m512 no) { return _mm512_mask_blend_ps(a, no, yes); }
  static __m512 keep(mask a, __m512 x) { return _mm512_maskz_mov_ps(a, x); }
};
template <>
struct mask_functions<double> : mask_bits<__mmask8> {
  static mask less(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
  static mask less_or_equal(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
  static mask equal(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
  static __m512d choose(mask a, __m512d yes, __m512d no) { return _mm512_mask_blend_pd(a, no, yes); }
  static __m512d keep(mask a, __m512d x) { return _mm512_maskz_mov_pd(a, x); }
};
#endif

}  // namespace detail

/// packet_size<T> conditions.
template <class T>
struct wide_mask {
  typename detail::mask_functions<T>::mask p;
};

template <class T>
wide_mask<T> operator<(wide<T> a, wide<T> b) {
  return {detail::mask_functions<T>::less(a.p, b.p)};
}
template <class T>
wide_mask<T> operator<=(wide<T> a, wide<T> b) {
  return {detail::mask_functions<T>::less_or_equal(a.p, b.p)};
}
template <class T>
wide_mask<T> operator==(wide<T> a, wide<T> b) {
  return {detail::mask_functions<T>::equal(a.p, b.p)};
}
template <class T>
wide_mask<T> operator!(wide_mask<T> a) {
  return {detail::mask_functions<T>::opposite(a.p)};
}
template <class T>
wide_mask<T> operator&&(wide_mask<T> a, wide_mask<T> b) {
  return {detail::mask_functions<T>::both(a.p, b.p)};
}
template <class T>
wide_mask<T> operator||(wide_mask<T> a, wide_mask<T> b) {
  return {detail::mask_functions<T>::either(a.p, b.p)};
}
template <class T>
wide_mask<T> operator!=(wide_mask<T> a, wide_mask<T> b) {
  return {detail::mask_functions<T>::one_of(a.p, b.p)};
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
bool any(wide_mask<T> condition) {
  return detail::mask_functions<T>::any(condition.p);
}
/// The same condition in all places.
template <class T>
wide_mask<T> splat_condition(bool x) {
  const wide_mask<T> none{detail::mask_functions<T>::none()};
  return x ? !none : none;
}

}  // namespace tapeless::cpu_kernels
