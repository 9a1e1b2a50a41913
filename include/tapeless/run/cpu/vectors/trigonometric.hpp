// SPDX-License-Identifier: BSL-1.0
// Trigonometric functions of vectors, and their inverses.
#pragma once

#include <concepts>
#include <limits>
#include <numbers>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/run/cpu/vectors/rounding.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// x - n pi/2 with |x - n pi/2| <= pi/4, as a sum of two numbers. pi/2 is taken apart into numbers of so few
/// digits that their products with n are exact (Cody and Waite, 1980), up to |x| = reduction_end.
template <class T>
inline constexpr T reduction_end = std::same_as<T, float> ? T(1500) : T(800000);
template <class T>
struct reduced_angle {
  wide<T> n, high, low;

  [[gnu::always_inline]] explicit reduced_angle(wide<T> x) {
    constexpr bool is_float = std::same_as<T, float>;
    n = {Eigen::internal::print((x * splat(T(std::numbers::inv_pi * 2))).p)};
    const wide<T> first = x - n * splat(T(is_float ? 0x1.9218p+0 : 0x1.921fb544p+0));
    const wide<T> second = n * splat(T(is_float ? 0x1.ed5p-14 : 0x1.0b4611a6p-34));
    const wide<T> third = n * splat(T(is_float ? 0x1.10bp-30 : 0x1.3198a2ep-69));
    const wide<T> rest = n * splat(T(is_float ? 0x1.18469898cc517p-44 : 0x1.b839a252049c1p-104));
    const wide<T> near = first - second, lost = sum_error(first, -second, near) - third - rest;
    high = near + lost;
    low = (near - high) + lost;
  }
  /// n modulo 4, from 0 to 3.
  wide<T> quadrant() const {
    return n - splat(T(4)) * wide<T>{Eigen::internal::pfloor((n * splat(T(0.25))).p)};
  }

  // by polynomials through Chebyshev's points
  [[gnu::always_inline]] wide<T> sine() const {
    using tapeless::detail::polynomial;
    const wide<T> square = high * high;
    const auto sum = [&] {  // (sin(r)/r - 1) / r^2
      if constexpr (std::same_as<T, float>) {
        return polynomial(square, -1.95876391e-4, 8.332747105e-3, -0.1666666466);
      } else {
        return polynomial(square, 1.591798897939743328e-10, -2.505112989645018631e-8, 2.755731609319840519e-6,
                          -1.98412698367405321e-4, 8.333333333330936554e-3, -0.1666666666666666461);
      }
    }();
    const wide<T> slope = multiply_add(square, splat(T(-0.5)), splat(T(1)));
    return high + multiply_add(high * square, sum, low * slope);
  }
  [[gnu::always_inline]] wide<T> cosine() const {
    using tapeless::detail::polynomial;
    const wide<T> square = high * high, one = splat(T(1)), half = splat(T(0.5)) * square, near = one - half;
    const auto sum = [&] {  // (cos(r) - 1 + r^2/2) / r^4
      if constexpr (std::same_as<T, float>) {
        return polynomial(square, 2.454768977e-5, -1.388830187e-3, 4.166666465e-2);
      } else {
        return polynomial(square, -1.138254464534925045e-11, 2.087614504941317909e-9,
                          -2.755731726587808004e-7, 2.480158729875440117e-5, -1.388888888888738977e-3,
                          4.166666666666666538e-2);
      }
    }();
    return near + (((one - near) - half) + multiply_add(square * square, sum, -(high * low)));
  }
};

/// Beyond the reduction's end the standard library's result; next to 0 the number itself, where it is given.
template <class T, class F>
[[gnu::always_inline]] inline wide<T> from_end_to_end(wide<T> x, wide<T> result, F f) {
  const wide_mask<T> far = abs(x) > splat(reduction_end<T>);
  return any(far) ? choose(far, one_by_one(x, f), result) : result;
}
template <class T>
wide<T> unless_tiny(wide<T> x, wide<T> result) {
  return choose(abs(x) < splat(std::numeric_limits<T>::epsilon()), x, result);
}

}  // namespace detail

template <many_lanes T>
[[gnu::always_inline]] inline wide<T> sin(wide<T> x) {
  if constexpr (std::same_as<T, float> && Eigen::internal::packet_traits<T>::HasSin) {
    return {Eigen::internal::psin(x.p)};
  } else {
    const detail::reduced_angle<T> angle(x);
    const wide<T> quadrant = angle.quadrant(), one = splat(T(1)), two = splat(T(2));
    const wide<T> size = choose(quadrant == one || quadrant == splat(T(3)), angle.cosine(), angle.sine());
    const wide<T> result = detail::unless_tiny(x, choose(quadrant < two, size, -size));
    return detail::from_end_to_end(x, result, [](T t) { return std::sin(t); });
  }
}
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> cos(wide<T> x) {
  if constexpr (std::same_as<T, float> && Eigen::internal::packet_traits<T>::HasCos) {
    return {Eigen::internal::pcos(x.p)};
  } else {
    const detail::reduced_angle<T> angle(x);
    const wide<T> quadrant = angle.quadrant(), one = splat(T(1)), two = splat(T(2));
    const wide<T> size = choose(quadrant == one || quadrant == splat(T(3)), angle.sine(), angle.cosine());
    const wide<T> result = choose(quadrant == one || quadrant == two, -size, size);
    return detail::from_end_to_end(x, result, [](T t) { return std::cos(t); });
  }
}
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> tan(wide<T> x) {
  const detail::reduced_angle<T> angle(x);
  const wide<T> quadrant = angle.quadrant(), sine = angle.sine(), cosine = angle.cosine();
  const wide_mask<T> is_odd = quadrant == splat(T(1)) || quadrant == splat(T(3));
  const wide<T> result = choose(is_odd, -cosine, sine) / choose(is_odd, sine, cosine);
  return detail::from_end_to_end(x, detail::unless_tiny(x, result), [](T t) { return std::tan(t); });
}

namespace detail {

template <class T>
inline constexpr T quarter_turn = static_cast<T>(std::numbers::pi / 2);
/// What a turn's rounded part lacks, of the part.
template <class T>
inline constexpr T turn_rest =
    static_cast<T>(std::same_as<T, float> ? -2.782753515285623e-8 : 3.8981718325193755e-17);

/// asin(|x|) where |x| <= 1/2, else asin(sqrt((1 - |x|)/2)), which is half of the angle that lacks to pi/2.
template <class T>
struct arc {
  wide<T> size, angle;
  wide_mask<T> is_steep;

  [[gnu::always_inline]] explicit arc(wide<T> x) : size(abs(x)), is_steep(size > splat(T(0.5))) {
    using tapeless::detail::polynomial;
    const wide<T> square = choose(is_steep, splat(T(0.5)) * (splat(T(1)) - size), x * x);
    const wide<T> s = choose(is_steep, sqrt(square), size);
    const auto sum = [&] {  // (asin(s)/s - 1) / s^2, by polynomials through Chebyshev's points
      if constexpr (std::same_as<T, float>) {
        return polynomial(square, 0.0336908472, 0.01714923836, 0.03110066274, 0.04459940153, 0.07500094543,
                          0.1666666634);
      } else {
        return polynomial(square, 0.0281692180608814129, -0.01074905033969780756, 0.01603551434914882308,
                          7.802949477353317144e-3, 0.0118754943826369232, 0.01392965290232663325,
                          0.01735525995578632175, 0.02237204763174451038, 0.03038194736709848113,
                          0.04464285710342364336, 0.07500000000020764361, 0.1666666666666664863);
      }
    }();
    angle = multiply_add(s * square, sum, s);
  }
};

/// The angle whose tangent is opposite / adjacent, both of which are not negative: from 0 to pi/2.
template <class T>
[[gnu::always_inline]] inline wide<T> angle_of(wide<T> opposite, wide<T> adjacent) {
  using tapeless::detail::polynomial;
  const wide<T> zero = splat(T(0)), one = splat(T(1)), half = splat(T(0.5));
  const wide_mask<T> is_steep = adjacent < opposite;
  const wide<T> small = choose(is_steep, adjacent, opposite), large = choose(is_steep, opposite, adjacent);
  const wide_mask<T> is_middle = large * splat(T(0.41421356237309504880)) < small;  // above tan(pi/8)
  // halves where the sum could overflow
  const wide<T> factor = choose(large > one, half, one), a = small * factor, b = large * factor;
  const wide<T> t =
      choose(is_middle, a - b, small) / choose(is_middle, a + b, choose(large == zero, one, large));
  const wide<T> square = t * t;
  const auto sum = [&] {  // (atan(t)/t - 1) / t^2, by polynomials through Chebyshev's points
    if constexpr (std::same_as<T, float>) {
      return polynomial(square, -0.06449835225, 0.1074309967, -0.1426389711, 0.1999953879, -0.3333333175);
    } else {
      return polynomial(square, -0.01916206891590257558, 0.03921955253255129542, -0.05085030492810940589,
                        0.05858068756861510556, -0.06664502215671447105, 0.07692182535116648202,
                        -0.09090904549884610954, 0.111111110145610136, -0.1428571428465789355,
                        0.199999999999954792, -0.3333333333333333013);
    }
  }();
  const wide<T> near = multiply_add(t * square, sum, t), quarter = splat(quarter_turn<T>);
  const wide<T> base = choose(is_middle, half * quarter, choose(is_steep, quarter, zero));
  return base + multiply_add(base, splat(turn_rest<T>), choose(is_steep, -near, near));
}

}  // namespace detail

template <many_lanes T>
[[gnu::always_inline]] inline wide<T> asin(wide<T> x) {
  const detail::arc<T> a(x);
  const wide<T> quarter = splat(detail::quarter_turn<T>),
                rest = splat(detail::quarter_turn<T> * detail::turn_rest<T>);
  return with_sign(choose(a.is_steep, quarter - ((a.angle + a.angle) - rest), a.angle), x);
}
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> acos(wide<T> x) {
  const detail::arc<T> a(x);
  const wide<T> quarter = splat(detail::quarter_turn<T>),
                rest = splat(detail::quarter_turn<T> * detail::turn_rest<T>);
  const wide<T> twice = a.angle + a.angle;
  const wide<T> outside = choose(x < splat(T(0)), (quarter + quarter) - (twice - (rest + rest)), twice);
  return choose(a.is_steep, outside, quarter - (with_sign(a.angle, x) - rest));
}
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> atan(wide<T> x) {
  return with_sign(detail::angle_of(abs(x), splat(T(1))), x);
}
/// The angle of the point (x, y), from -pi to pi; the signs of zeros count.
template <many_lanes T>
[[gnu::always_inline]] inline wide<T> atan2(wide<T> y, wide<T> x) {
  const wide<T> one = splat(T(1)), infinite = splat(above_all<T>), a = abs(y), b = abs(x);
  const wide_mask<T> is_far = a == infinite && b == infinite;
  const wide<T> angle = detail::angle_of(choose(is_far, one, a), choose(is_far, one, b));
  const wide<T> half_turn = splat(2 * detail::quarter_turn<T>);
  const wide<T> rest = splat(2 * detail::quarter_turn<T> * detail::turn_rest<T>);
  const wide_mask<T> is_behind = with_sign(one, x) < splat(T(0));
  return with_sign(choose(is_behind, half_turn - (angle - rest), angle), y);
}

}  // namespace tapeless::cpu_kernels
