// SPDX-License-Identifier: BSL-1.0
// The Bessel functions of the first kind, of the orders 0 and 1, of which each one's derivative is made of
// the other.
#pragma once

#include <numbers>

#include <tapeless/ops/pointwise/cos.hpp>
#include <tapeless/ops/pointwise/modified_bessel.hpp>
#include <tapeless/ops/pointwise/sin.hpp>

namespace tapeless {

namespace detail {

constexpr value bessel(value x, int order);

/// x^2 - root^2, for a root in two parts whose first one every type has.
constexpr value from_roots(value x, double high, double low) {
  return ((x - high) - low) * (x + (high + low));
}

/// J_0(x), and J_1(x) / x, for x from 0 to 8: with three roots taken out, the last one beyond 8, the rest is
/// a rational function of x^2, within 2e-17.
constexpr value bessel_j0_near(value x) {
  const value t = square(x);
  return from_roots(x, 2.4048254489898681641, 1.0870590460455913e-7) *
         from_roots(x, 5.5200781822204589844, -7.1934148334778396e-8) *
         from_roots(x, 8.6537275314331054688, 3.814779067482042e-7) *
         (composed_polynomial(t, -1.5369312299159747e-19, 2.5635368878087783e-16, -1.8282547146541818e-13,
                              7.0177136586974102e-11, -1.5051438622407072e-8, 1.6846812829209618e-6,
                              -7.5776741097638651e-5) /
          composed_polynomial(t, 1.4042627764385529e-16, 2.1581316758334492e-13, 1.7885122327896557e-10,
                              9.8217461611800359e-8, 3.6706237420956468e-5, 0.0086815042777990255, 1.0));
}
constexpr value bessel_j1_near(value x) {
  const value t = square(x);
  return from_roots(x, 3.8317060470581054688, -7.6850593153135564e-8) *
         from_roots(x, 7.01558685302734375, -1.8321172499646295e-7) *
         from_roots(x, 10.173468589782714844, -4.5471999276656429e-7) *
         (composed_polynomial(t, -6.1363097668241503e-21, 1.1346761247730383e-17, -9.0613315761779261e-15,
                              3.9377619569690784e-12, -9.6797447488796689e-10, 1.25906819017941e-7,
                              -6.6852800725100119e-6) /
          composed_polynomial(t, 8.2122912085071923e-17, 1.4136724118762946e-13, 1.2945541498989273e-10,
                              7.7822441234542048e-8, 3.1607947760861929e-5, 0.008076344212484251, 1.0));
}

/// The factors p of the cosine and q / x of the sine, of which J_n is made beyond 8: rational functions of
/// 64/x^2, within 4e-18.
struct bessel_factors {
  value p, q;
};
constexpr bessel_factors bessel_j0_far(value u) {
  return {composed_polynomial(u, 3.4038803661141966e-5, 0.0060089580100345266, 0.13955513679289442,
                              0.87331577019338513, 1.7582237863101798, 1.0) /
              composed_polynomial(u, 3.8318168260697854e-5, 0.0061427995774950457, 0.1404706956803761,
                                  0.87522123864713864, 1.7593224191226791, 1.0),
          composed_polynomial(u, -4.6335855799801567e-6, -0.00082561419967616786, -0.019490011774732113,
                              -0.13825724588603612, -0.36837266050164877, -0.38022174318337999, -0.125) /
              composed_polynomial(u, 7.0203745463917793e-5, 0.0077399279975907182, 0.16511361881417639,
                                  1.131989475904758, 2.9744698049349262, 3.0509292189045391, 1.0)};
}
constexpr bessel_factors bessel_j1_far(value u) {
  return {composed_polynomial(u, 3.1267772452767352e-5, 0.0053483195493804055, 0.12943301239195451,
                              0.83707486956532141, 1.7265521869960506, 1.0) /
              composed_polynomial(u, 2.4804269361633129e-5, 0.0051393274673244737, 0.12796413672197385,
                                  0.83395201484466201, 1.7247211323085515, 1.0),
          composed_polynomial(u, 1.4429787925596975e-5, 0.0023099792583265159, 0.055053816081805495,
                              0.39765515182894451, 1.0772469257896545, 1.1275308177136894, 0.375) /
              composed_polynomial(u, 5.264864241896618e-5, 0.006657978928584338, 0.15092649209406859,
                                  1.0722173962149277, 2.8853422258612035, 3.0110213081740048, 1.0)};
}

constexpr value bessel_ratio(value x) {
  const value near = abs(x) < 2.0, t = where(near, x, 0.0), s = where(near, 2.0, x);
  return where(near, bessel_ratio_series(-square(0.5 * t)), bessel(s, 1) / s);
}

}  // namespace detail

template <int Order>
struct bessel_operation : composed_operation<bessel_operation<Order>, 1> {
  static constexpr std::string_view name = Order == 0 ? "bessel_j0" : "bessel_j1";
  static constexpr value forward(value x) {
    const value size = abs(x), near = size < 8.0, t = where(near, size, 0.0), s = where(near, 8.0, size);
    const value inside =
        Order == 0 ? detail::bessel_j0_near(t) : where(near, x, 0.0) * detail::bessel_j1_near(t);
    // cos(x - pi/4) and sin(x - pi/4), or those of x - 3 pi/4, times sqrt(2)
    const value sum = cos(s) + sin(s), difference = sin(s) - cos(s), u = square(8.0 / s);
    const detail::bessel_factors f = Order == 0 ? detail::bessel_j0_far(u) : detail::bessel_j1_far(u);
    const value wave = Order == 0 ? f.p * sum - f.q / s * difference : f.p * difference + f.q / s * sum;
    const value outside = wave / sqrt(std::numbers::pi * s);
    const value y = Order == 0 ? outside : where(x < 0.0, -outside, outside);
    return where(near, inside, where(size > detail::largest_finite(x.type()), 0.0, y));
  }
  static constexpr value cotangent(auto g, auto x, auto) {
    const value other = detail::bessel(x, 1 - Order);
    if (Order == 0) return -g * other;
    return g * (other - detail::bessel_ratio(x));
  }
};

constexpr value detail::bessel(value x, int order) {
  return order == 0 ? bessel_operation<0>::build(x) : bessel_operation<1>::build(x);
}

}  // namespace tapeless
