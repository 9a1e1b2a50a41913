// SPDX-License-Identifier: BSL-1.0
// Vectors of numbers, on Eigen's packets: as wide as the target the compiler builds for. Loads, stores and
// arithmetic.
#pragma once

#include <cstdint>
#include <limits>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/rounded.hpp>
#include <tapeless/ops/base/scalar.hpp>
#include <tapeless/run/cpu/vectors/eigen.hpp>

namespace tapeless::cpu_kernels {

template <class T>
using packet = typename Eigen::internal::packet_traits<T>::type;
template <class T>
inline constexpr int packet_size = Eigen::internal::unpacket_traits<packet<T>>::size;
/// Whether there are 32 registers for vectors, else 16.
inline constexpr bool has_many_registers = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32;

/// Half of a vector, where there are such. Deduced, as g++ warns of packets as template arguments.
template <class Packet>
typename Eigen::internal::unpacket_traits<Packet>::half half_of(Packet) {
  using traits = Eigen::internal::unpacket_traits<Packet>;
  return Eigen::internal::pset1<typename traits::half>(typename traits::type(0));
}

/// Whether a vector is so long that formulas are faster than the standard library one by one.
template <class T>
concept many_lanes = packet_size<T> >= 4;
/// The same of formulas with many errors of products.
template <class T>
concept fused_lanes = many_lanes<T> &&
#if defined(EIGEN_VECTORIZE_FMA)
                      true;
#else
                      false;
#endif

/// packet_size<T> numbers.
template <class T>
struct wide {
  packet<T> p;
};

template <class T>
wide<T> splat(T x) {
  return {Eigen::internal::pset1<packet<T>>(x)};
}
/// first, first + step, first + 2 step, ..., each rounded once.
template <class T>
wide<T> counted(std::int64_t first, std::int64_t step) {
  constexpr std::int64_t exact = std::int64_t{1} << std::numeric_limits<T>::digits;
  const std::int64_t last = first + packet_size<T> * step;
  if (first >= 0 && last >= 0 && first <= exact && last <= exact) {
    const wide<T> number{Eigen::internal::plset<packet<T>>(T(0))};
    return {Eigen::internal::padd(splat(static_cast<T>(first)).p,
                                  Eigen::internal::pmul(number.p, splat(static_cast<T>(step)).p))};
  }
  T all[packet_size<T>];
  for (int i = 0; i < packet_size<T>; ++i) all[i] = static_cast<T>(first + i * step);
  return {Eigen::internal::ploadu<packet<T>>(all)};
}
template <class T>
wide<T> number_like(wide<T>, double x) {
  return splat(static_cast<T>(x));
}
template <class T>
T element_number(wide<T>);
template <class T>
wide<T> load(const T* from) {
  return {Eigen::internal::ploadu<packet<T>>(from)};
}
template <class T>
wide<T> load(const T* from, std::int64_t stride) {
  return {Eigen::internal::pgather<T, packet<T>>(from, stride)};
}
template <class T>
void store(T* to, wide<T> x) {
  Eigen::internal::pstoreu(to, x.p);
}
template <class T>
void store(T* to, std::int64_t stride, wide<T> x) {
  Eigen::internal::pscatter(to, x.p, stride);
}

/// Elements of another type, of which T has all numbers.
template <class T, class Stored>
wide<T> load_as(const Stored* from, std::int64_t stride) {
  T all[packet_size<T>];
  for (int i = 0; i < packet_size<T>; ++i) all[i] = static_cast<T>(from[i * stride]);
  return load(all);
}
template <class Stored, class T>
void store_as(Stored* to, std::int64_t stride, wide<T> x) {
  T all[packet_size<T>];
  store(all, x);
  for (int i = 0; i < packet_size<T>; ++i) to[i * stride] = static_cast<Stored>(all[i]);
}

/// Whether there is an instruction for a b + c, which rounds once.
inline constexpr bool has_multiply_add =
#if defined(EIGEN_VECTORIZE_FMA) || defined(__ARM_FEATURE_FMA)
    true;
#else
    false;
#endif

template <class T>
wide<T> operator+(wide<T> a, wide<T> b) {
  return {Eigen::internal::padd(a.p, b.p)};
}
template <class T>
wide<T> operator-(wide<T> a, wide<T> b) {
  return {Eigen::internal::psub(a.p, b.p)};
}
template <class T>
wide<T> operator*(wide<T> a, wide<T> b) {
  return {rounded(Eigen::internal::pmul(a.p, b.p))};
}
template <class T>
wide<T> operator/(wide<T> a, wide<T> b) {
  return {Eigen::internal::pdiv(a.p, b.p)};
}
/// Eigen's gives 0 for 0 on some targets. The compiler's own may become a part of multiply_add.
template <class T>
wide<T> operator-(wide<T> a) {
  if constexpr (has_multiply_add) {
    return {-a.p};
  } else {
    return {Eigen::internal::pxor(a.p, Eigen::internal::pset1<packet<T>>(T(-0.0)))};
  }
}

/// a b + c, rounded once where there is an instruction for it.
template <class T>
wide<T> multiply_add(wide<T> a, wide<T> b, wide<T> c) {
  return {Eigen::internal::pmadd(a.p, b.p, c.p)};
}
/// The same of numbers.
template <class T>
[[gnu::always_inline]] inline T multiply_add_numbers(T a, T b, T c) {
  if constexpr (has_multiply_add) {
    return std::fma(a, b, c);
  } else {
    return a * b + c;
  }
}
/// a b - product, exact where the product is a b rounded.
template <class T>
wide<T> product_error(wide<T> a, wide<T> b, wide<T> product) {
#if defined(EIGEN_VECTORIZE_FMA)
  return {Eigen::internal::pmadd(a.p, b.p, (-product).p)};
#else
  return error_of_halves(a, b, product);
#endif
}

/// a - b c where that is a number of T; one line for both may be contracted, and so be wrong.
template <class T>
wide<T> minus_product(wide<T> a, wide<T> b, wide<T> c) {
#if defined(EIGEN_VECTORIZE_FMA)
  return {Eigen::internal::pmadd((-b).p, c.p, a.p)};
#else
  const wide<T> product = b * c;
  return (a - product) - error_of_halves(b, c, product);
#endif
}

template <class T>
wide<T> abs(wide<T> x) {
  return {Eigen::internal::pabs(x.p)};
}
/// Eigen's keep the first number where it is NaN.
template <class T>
wide<T> limited_above(wide<T> x, wide<T> limit) {
  return {Eigen::internal::pmin(x.p, limit.p)};
}
template <class T>
wide<T> limited_below(wide<T> x, wide<T> limit) {
  return {Eigen::internal::pmax(x.p, limit.p)};
}

/// x's sign, 0 or -0.
template <class T>
wide<T> sign_bit(wide<T> x) {
  return {Eigen::internal::pand(x.p, Eigen::internal::pset1<packet<T>>(T(-0.0)))};
}
/// A number that is not negative, with the sign of another one.
template <class T>
wide<T> with_sign(wide<T> size, wide<T> x) {
  return {Eigen::internal::por(size.p, sign_bit(x).p)};
}

/// Where no vector formula is right, the numbers go through the standard library one by one.
template <class T, class F>
wide<T> one_by_one(wide<T> x, F f) {
  T all[packet_size<T>];
  store(all, x);
  for (T& one : all) one = f(one);
  return load(all);
}
template <class T, class F>
wide<T> one_by_one(wide<T> x, wide<T> y, F f) {
  T all[packet_size<T>], other[packet_size<T>];
  store(all, x);
  store(other, y);
  for (int i = 0; i < packet_size<T>; ++i) all[i] = f(all[i], other[i]);
  return load(all);
}

}  // namespace tapeless::cpu_kernels
