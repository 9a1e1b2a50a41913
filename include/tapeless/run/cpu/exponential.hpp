// SPDX-License-Identifier: BSL-1.0
// The exponential function, hyperbolic tangent and logarithm of vectors: right to the last binade and through
// the subnormal numbers, where Eigen's are not.
#pragma once

#include <concepts>
#include <limits>
#include <numbers>

#include <tapeless/run/cpu/vector_arithmetic.hpp>

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

/// x = n ln 2 + r with |r| <= ln(2)/2, for Lowest < n < 170.
template <class T, int Lowest>
struct reduced_exponent {
  integers_of<T> n;
  packet<T> n_as_numbers;
  wide<T> r;

  [[gnu::always_inline]] explicit reduced_exponent(wide<T> x) {
    using namespace Eigen::internal;
    // to the nearest integer, as what is converted is positive; not by adding a large number, which a
    // compiler that may reorder takes away again
    n = pcast<packet<T>, integers_of<T>>(
        pmadd(x.p, pset1<packet<T>>(T(std::numbers::log2e)), pset1<packet<T>>(T(0.5 - Lowest))));
    if constexpr (Lowest != 0) n = padd(n, pset1<integers_of<T>>(Lowest));
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
  reduced_exponent<T, -256> reduced;
  wide<T> mantissa;

  // beyond, e^t is infinite or rounds to 0, and so does any x e^t with |t| > |x| / 2
  [[gnu::always_inline]] explicit wide_exponential(wide<T> t)
      : reduced(limited_below(limited_above(t, splat(T(89))), splat(T(-150)))),
        mantissa(splat(T(1)) + reduced.power()) {}
  wide<T> value() const { return scaled(mantissa); }
  /// x e^t / mantissa.
  wide<T> scaled(wide<T> x) const { return times_power_of_two(x, reduced.n, reduced.n_as_numbers); }
};

/// tanh(x), as (e^2|x| - 1) / (e^2|x| + 1) with the sign of x.
template <class T>
[[gnu::always_inline]] inline wide<T> tanh_by_power(wide<T> x) {
  using namespace Eigen::internal;
  const wide<T> size = abs(x), one = splat(T(1));
  const reduced_exponent<T, 0> e(limited_above(size + size, splat(T(20))));
  const wide<T> power = power_of_two<T>(e.n), above_one = multiply_add(power, e.power(), power - one);
  const packet<T> sign = pand(x.p, pset1<packet<T>>(T(-0.0)));
  return {por((above_one / (above_one + splat(T(2)))).p, sign)};
}

/// e^x of double, by Cephes' rational function.
template <class T>
[[gnu::always_inline]] inline wide<T> power_of_double(wide<T> x) {
  using namespace Eigen::internal;
  // beyond, the result is infinite or rounds to 0
  const wide<T> near = limited_below(limited_above(x, splat(T(710))), splat(T(-746)));
  const wide<T> n_as_numbers{pfloor(multiply_add(near, splat(T(std::numbers::log2e)), splat(T(0.5))).p)};
  wide<T> r = multiply_add(n_as_numbers, splat(T(-0.693145751953125)), near);
  r = multiply_add(n_as_numbers, splat(T(-1.42860682030941723212e-6)), r);
  const wide<T> square = r * r;
  wide<T> odd =
      multiply_add(splat(T(1.26177193074810590878e-4)), square, splat(T(3.02994407707441961300e-2)));
  odd = multiply_add(odd, square, splat(T(1))) * r;
  wide<T> even =
      multiply_add(splat(T(3.00198505138664455042e-6)), square, splat(T(2.52448340349684104192e-3)));
  even = multiply_add(even, square, splat(T(2.27265548208155028766e-1)));
  even = multiply_add(even, square, splat(T(2)));
  return {pldexp(multiply_add(splat(T(2)), odd / (even - odd), splat(T(1))).p, n_as_numbers.p)};
}

/// The logarithm of float, by Cephes' polynomial.
template <class T>
[[gnu::always_inline]] inline wide<T> log_by_exponent(wide<T> x) {
  using namespace Eigen::internal;
  using integers = integers_of<T>;
  const wide_mask<T> small = x < splat(std::numeric_limits<T>::min());
  const packet<T> normal = pselect(small.p, pmul(x.p, pset1<packet<T>>(T(1 << 24))), x.p);
  // the mantissa is taken from sqrt(1/2) to sqrt(2)
  const integers root = pset1<integers>(0x3f3504f3);
  const integers from_root = psub(preinterpret<integers>(normal), root);
  const packet<T> lost = pand(small.p, pset1<packet<T>>(T(24)));
  const packet<T> exponent = psub(pcast<integers, packet<T>>(parithmetic_shift_right<23>(from_root)), lost);
  const integers digits = padd(pand(from_root, pset1<integers>(0x7fffff)), root);
  const wide<T> f = wide<T>{preinterpret<packet<T>>(digits)} - splat(T(1)), square = f * f, cube = square * f;
  const auto three = [&](double a, double b, double c) {
    return multiply_add(multiply_add(splat(static_cast<T>(a)), f, splat(static_cast<T>(b))), f,
                        splat(static_cast<T>(c)));
  };
  const wide<T> high = three(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1);
  const wide<T> middle = three(-1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1);
  const wide<T> low = three(2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1);
  wide<T> sum = multiply_add(multiply_add(high, cube, middle), cube, low) * cube;
  sum = f + multiply_add(splat(T(-0.5)), square, sum);
  sum = multiply_add(wide<T>{exponent}, splat(T(std::numbers::ln2)), sum);
  // +infinity and NaN are their own logarithm
  const wide<T> infinite = splat(std::numeric_limits<T>::infinity()), zero = splat(T(0));
  const wide<T> none = choose(x == zero, -infinite, splat(std::numeric_limits<T>::quiet_NaN()));
  return choose(x < infinite, choose(x > zero, sum, none), x);
}

}  // namespace tapeless::cpu_kernels
