// SPDX-License-Identifier: BSL-1.0
// The exponential function and hyperbolic tangent of vectors: right to the last binade and through the
// subnormal numbers, where Eigen's are not.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <numbers>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/run/cpu/vectors/vector_selection.hpp>

namespace tapeless::cpu_kernels {

/// Whether there are vectors of integers as long as one of T, which is float: Eigen's exponential needs them,
/// too.
template <class T>
concept has_integers = std::same_as<T, float> && bool(Eigen::internal::packet_traits<T>::HasExp);

namespace detail {

// by a function's argument, as g++ warns of packets as template arguments
template <class Packet>
typename Eigen::internal::unpacket_traits<Packet>::integer_packet integers_like(Packet);

}  // namespace detail

template <class T>
using integers_of = decltype(detail::integers_like(packet<T>{}));

/// 2^n, where that is a normal number.
template <class T>
wide<T> power_of_two(integers_of<T> n) {
  using namespace Eigen::internal;
  return {preinterpret<packet<T>>(plogical_shift_left<23>(padd(n, pset1<integers_of<T>>(127))))};
}

/// x 2^n, rounded once where that is subnormal; -252 <= n <= 254. `n_as_numbers` is n in the type of x.
template <class T>
wide<T> times_power_of_two(wide<T> x, integers_of<T> n, packet<T>) {
  const integers_of<T> half = Eigen::internal::parithmetic_shift_right<1>(n);
  return x * power_of_two<T>(half) * power_of_two<T>(Eigen::internal::psub(n, half));
}
#ifdef EIGEN_VECTORIZE_AVX512
inline wide<float> times_power_of_two(wide<float> x, __m512i, __m512 n_as_numbers) {
  return {_mm512_scalef_ps(x.p, n_as_numbers)};
}
#endif

/// x = n ln 2 + r with |r| <= ln(2)/2, for -256 < n < 170.
template <class T>
struct reduced_exponent {
  static constexpr int lowest = -256;
  integers_of<T> n;
  packet<T> n_as_numbers;
  wide<T> r;

  [[gnu::always_inline]] explicit reduced_exponent(wide<T> x) {
    using namespace Eigen::internal;
    // to the nearest integer, as what is converted is positive; not by adding a large number, which a
    // compiler that may reorder takes away again
    n = pcast<packet<T>, integers_of<T>>(
        pmadd(x.p, pset1<packet<T>>(T(std::numbers::log2e)), pset1<packet<T>>(T(0.5 - lowest))));
    n = padd(n, pset1<integers_of<T>>(lowest));
    // ln 2 in two numbers; the first has so few digits that its multiples are exact
    n_as_numbers = pcast<integers_of<T>, packet<T>>(n);
    const packet<T> rest = pmadd(n_as_numbers, pset1<packet<T>>(T(-0.693359375)), x.p);
    r = {pmadd(n_as_numbers, pset1<packet<T>>(T(2.12194440e-4)), rest)};
  }

  /// e^r - 1, by a polynomial through Chebyshev's points.
  [[gnu::always_inline]] wide<T> power() const {
    using namespace Eigen::internal;
    const auto next = [this](packet<T> sum, double c) {
      return pmadd(sum, r.p, pset1<packet<T>>(static_cast<T>(c)));
    };
    packet<T> sum = pset1<packet<T>>(T(1.9891017184e-4));
    sum = next(sum, 1.3933673733e-3);
    sum = next(sum, 8.3333109017e-3);
    sum = next(sum, 4.1666464711e-2);
    sum = next(sum, 0.16666666682);
    sum = next(sum, 0.50000000135);
    return {pmadd(pmul(r.p, r.p), sum, r.p)};
  }
};

/// e^t as a number near 1 times a power of 2, so that it overflows and loses digits only where it must.
template <class T>
struct wide_exponential {
  reduced_exponent<T> reduced;
  wide<T> mantissa;

  // beyond, e^t is infinite or rounds to 0, and so does any x e^t with |t| > |x| / 2
  [[gnu::always_inline]] explicit wide_exponential(wide<T> t)
      : reduced(limited_below(limited_above(t, splat(T(89))), splat(T(-150)))),
        mantissa(splat(T(1)) + reduced.power()) {}
  wide<T> value() const { return scaled(mantissa); }
  /// x e^t / mantissa.
  wide<T> scaled(wide<T> x) const { return times_power_of_two(x, reduced.n, reduced.n_as_numbers); }
};

namespace detail {

// |x|, at most the limit; and a quotient, at most 1, with the sign of x. Where one instruction compares sizes
// they keep the sign of x, and so does the quotient.
#if defined(EIGEN_VECTORIZE_AVX512) && defined(__AVX512DQ__)
inline wide<float> limited_size(wide<float> x, wide<float> limit) {
  return {_mm512_range_ps(x.p, limit.p, 0b0010)};
}
inline wide<float> limited_quotient(wide<float> above, wide<float> below, wide<float>) {
  return above / wide<float>{_mm512_range_ps(above.p, below.p, 0b1011)};
}
#else
inline wide<float> limited_size(wide<float> x, wide<float> limit) { return limited_above(abs(x), limit); }
inline wide<float> limited_quotient(wide<float> above, wide<float> below, wide<float> x) {
  return with_sign(above / limited_below(below, above), x);
}
#endif

}  // namespace detail

/// The hyperbolic tangent of floats. That of x/2 is a / (1 + b), with a = x (1/2 + c1 s + c2 s^2) and b = s
/// (b1 + b2 s + b3 s^2), where s = x^2, and that of x is 2 a (1 + b) / ((1 + b)^2 + a^2), within 1.1e-8,
/// relatively. The larger x, the less it loses of what a and b have lost.
[[gnu::always_inline]] inline wide<float> tangent_of_floats(wide<float> x) {
  constexpr double b1 = 0.11308775403, b2 = 1.2045180169e-3, b3 = 1.2199963190e-6, c1 = 1.4877229746e-2,
                   c2 = 5.6915776385e-5;
  constexpr float end = 9.6f;  // beyond, it is 1
  const auto number = [](double coefficient) { return splat(static_cast<float>(coefficient)); };
  const wide<float> size = detail::limited_size(x, splat(end)), s = limited_above(x * x, splat(end * end));
  // in parts that do not wait for each other
  const wide<float> a = multiply_add(size * s, multiply_add(s, number(c2), number(c1)), size * number(0.5)),
                    b = multiply_add(s * s, multiply_add(s, number(b3), number(b2)), s * number(b1));
  // 2 a (1 + b), in one step from b, and (1 + b)^2 + a^2; where products are rounded by themselves the latter
  // once near 1
  wide<float> above, below;
  if constexpr (fused_lanes<float>) {
    const wide<float> sum = number(1) + b;
    above = a * multiply_add(b, number(2), number(2));
    below = multiply_add(sum, sum, a * a);
  } else {
    const wide<float> half = multiply_add(a, b, a);
    above = half + half;
    below = number(1) + multiply_add(b, b, multiply_add(a, a, b + b));
  }
  return detail::limited_quotient(above, below, x);  // which rounding takes beyond 1
}

/// x 2^n for a whole number n, rounded once where that is subnormal.
template <class T>
wide<T> times_power_of_two(wide<T> x, wide<T> n) {
  return {Eigen::internal::pldexp(x.p, n.p)};
}
#ifdef EIGEN_VECTORIZE_AVX512
inline wide<float> times_power_of_two(wide<float> x, wide<float> n) { return {_mm512_scalef_ps(x.p, n.p)}; }
inline wide<double> times_power_of_two(wide<double> x, wide<double> n) {
  return {_mm512_scalef_pd(x.p, n.p)};
}
#endif

/// x = n ln 2 + r with |r| <= ln(2)/2, and e^r - 1; without integers, so that it is for double, too.
template <class T>
struct reduced_power {
  wide<T> n, r;

  [[gnu::always_inline]] explicit reduced_power(wide<T> x) {
    constexpr bool is_float = std::same_as<T, float>;
    n = {Eigen::internal::print((x * splat(T(std::numbers::log2e))).p)};
    // ln 2 in two numbers; the first has so few digits that its multiples are exact
    r = multiply_add(n, splat(T(is_float ? -0.693359375 : -0.693145751953125)), x);
    r = multiply_add(n, splat(T(is_float ? 2.12194440e-4 : -1.42860682030941723212e-6)), r);
  }
  [[gnu::always_inline]] wide<T> power() const { return multiply_add(r * r, sum(r), r); }

 private:
  // (e^r - 1 - r) / r^2, by polynomials through Chebyshev's points
  static wide<T> sum(wide<T> r) {
    using tapeless::detail::polynomial;
    if constexpr (std::same_as<T, float>) {
      return polynomial(r, 1.9891017184e-4, 1.3933673733e-3, 8.3333109017e-3, 4.1666464711e-2, 0.16666666682,
                        0.50000000135);
    } else {
      return polynomial(r, 2.09147553258932022e-9, 2.510531272962210179e-8, 2.755727347871858047e-7,
                        2.755725517000088744e-6, 2.48015873256774619e-5, 1.984126987500227879e-4,
                        1.388888888888371117e-3, 8.33333333332608312e-3, 4.166666666666666978e-2,
                        0.1666666666666667103, 0.5);
    }
  }
};

/// e^x.
template <class T>
[[gnu::always_inline]] inline wide<T> power_of_number(wide<T> x) {
  // beyond, the result is infinite or rounds to 0
  const reduced_power<T> e(limited_below(limited_above(x, splat(T(std::same_as<T, float> ? 89 : 710))),
                                         splat(T(std::same_as<T, float> ? -150 : -746))));
  return times_power_of_two(splat(T(1)) + e.power(), e.n);
}

template <many_lanes T>
[[gnu::always_inline]] inline wide<T> exp(wide<T> x) {
  if constexpr (has_integers<T>) {
    return wide_exponential<T>(x).value();
  } else {
    return power_of_number(x);
  }
}
template <class T>
[[gnu::always_inline]] inline auto exponential_of(wide<T> t) {
  if constexpr (has_integers<T>) {
    return wide_exponential<T>(t);
  } else {
    return exponential<wide<T>>(t);
  }
}

/// e^x - 1.
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> expm1(wide<T> x) {
  // beyond, the result is infinite or rounds to -1
  const reduced_power<T> e(
      limited_below(limited_above(x, splat(T(std::same_as<T, float> ? 89 : 710))), splat(T(-40))));
  const wide<T> half = times_power_of_two(splat(T(0.5)), e.n);
  const wide<T> half_result = multiply_add(half, e.power(), half - splat(T(0.5)));
  return choose(abs(x) < splat(std::numeric_limits<T>::epsilon() / 2), x, half_result + half_result);
}

template <many_lanes T>
[[gnu::always_inline]] inline wide<T> tanh(wide<T> x) {
  if constexpr (std::same_as<T, float>) {
    return tangent_of_floats(x);
  } else {
    // (e^2|x| - 1) / (e^2|x| + 1)
    const wide<T> size = abs(x), above = expm1(limited_above(size + size, splat(T(40))));
    return with_sign(above / (above + splat(T(2))), x);
  }
}
}  // namespace tapeless::cpu_kernels
