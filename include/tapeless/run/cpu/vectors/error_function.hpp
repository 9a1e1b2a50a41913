// SPDX-License-Identifier: BSL-1.0
// The error function of vectors, and its complement.
#pragma once

#include <concepts>

#include <tapeless/run/cpu/vectors/exponential.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// 1 - erf(x) for x >= 0, as e^-(x^2) (1 + g) / (1 + 2x). g is x times a rational function whose coefficients
/// are all positive, through 20 points up to 28, within 1e-16.
template <class T>
[[gnu::always_inline]] inline wide<T> error_complement(wide<T> x) {
  using tapeless::detail::polynomial;
  const wide<T> near = limited_above(x, splat(T(28))), square = near * near, one = splat(T(1));
  reduced_power<T> e(-square);
  e.r = e.r - product_error(near, near, square);
  const wide<T> above =
      polynomial(near, 1.3740683954819688e-05, 0.0003232143427807034, 0.0035608626569497218,
                 0.024351469799414056, 0.1142399395834109, 0.3822447455688609, 0.9160789823751307,
                 1.5276968878149768, 1.6299671961357733, 0.8716208329044874);
  const wide<T> below =
      polynomial(near, 0.00010703203850072743, 0.0020472790674317225, 0.019210246909041002,
                 0.11449283766616268, 0.47491697675704303, 1.4218690074316158, 3.0941184979035543,
                 4.810842750206963, 5.0964982761757796, 3.3119051557170867, 1.0);
  const wide<T> mantissa = one + e.power(), sum = multiply_add(mantissa, near * above / below, mantissa);
  return times_power_of_two(sum / (one + near + near), e.n);
}

}  // namespace detail

template <many_lanes T>
[[gnu::always_inline]] inline wide<T> erfc(wide<T> x) {
  const wide<T> above = detail::error_complement(abs(x));
  return choose(x < splat(T(0)), splat(T(2)) - above, above);
}

/// Near 0 by x times a polynomial in x^2, beyond by 1 - erf(|x|); polynomials through Chebyshev's points.
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> erf(wide<T> x) {
  using tapeless::detail::polynomial;
  const wide<T> one = splat(T(1)), size = abs(x), square = x * x;
  if constexpr (std::same_as<T, float>) {
    // e^-q with a polynomial q equal to -log(1 - erf(x)) in eight points from 0.9 to 4
    const wide<T> far = limited_above(size, splat(T(4)));
    const wide<T> q = polynomial(far, 1.857984164e-5, -4.028611001e-4, 4.008439143e-3, -2.467473713e-2,
                                 0.1075807739, 0.6339813474, 1.12920636, -1.123907868e-4);
    const wide<T> inside = polynomial(square, 8.387074557e-5, -8.147081117e-4, 5.201456326e-3,
                                      -2.685958812e-2, 0.1128369935, -0.3761263402, 1.128379167);
    return choose(size < splat(T(0.92)), x * inside, with_sign(one - exp(-q), x));
  } else {
    const wide<T> inside = polynomial(
        square, -1.462091340945174868e-7, 1.637123442577000073e-6, -1.492300336815209879e-5,
        1.205528620200571325e-4, -8.548326510724796398e-4, 5.223977622016936362e-3, -2.68661706449997198e-2,
        0.112837916709548691, -0.3761263890318375052, 1.128379167095512574);
    return choose(size < splat(T(0.5)), x * inside, with_sign(one - detail::error_complement(size), x));
  }
}

}  // namespace tapeless::cpu_kernels
