// SPDX-License-Identifier: BSL-1.0
// The modified Bessel functions of the first kind, of the orders 0 and 1, as they are and divided by e^|x|:
// each one's derivative is made of the others.
#pragma once

#include <limits>

#include <tapeless/ops/base/composed_operation.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/sign.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

namespace detail {

/// Which of them: I_0 or I_1, and whether it is divided by e^|x|.
struct bessel_order {
  int order = 0;
  bool scaled = false;
};
constexpr value modified_bessel(value x, bessel_order of);

/// I_0(x), and I_1(x) / x, for t = x^2/4 up to 36: polynomials of positive terms, within 2e-17.
constexpr value bessel_i0_near(value t) {
  return composed_polynomial(
      t, 1.645939614139532e-34, 5.9422336253891878e-33, 9.9163790343683242e-30, 2.1376525689686345e-27,
      5.9247042690418562e-25, 1.3127779964925912e-22, 2.5798252668236107e-20, 4.3581828325475291e-18,
      6.2761185073669864e-16, 7.594053243614426e-14, 7.5940589869057837e-12, 6.1511872807857646e-10,
      3.9367598919812805e-8, 1.9290123455508333e-6, 6.9444444444851424e-5, 0.0017361111111102512,
      0.027777777777778888, 0.24999999999999924, 1.0000000000000002, 0.99999999999999999);
}
constexpr value bessel_i1_near(value t) {
  return composed_polynomial(
      t, 1.5643060132552726e-33, 5.3585121483803059e-32, 8.4223346888002849e-29, 1.711199335688068e-26,
      4.442551635992012e-24, 9.1900258565422564e-22, 1.676862187903591e-19, 2.614917096305712e-17,
      3.4518634989542305e-15, 3.797026907966631e-13, 3.417326507602995e-11, 2.4604749157702481e-9,
      1.3778659619549166e-7, 5.7870370367691678e-6, 0.0001736111111117413, 0.0034722222222213186,
      0.041666666666667351, 0.24999999999999979, 0.50000000000000001);
}
/// sqrt(x) e^-x I_0(x), and the same of I_1, for w = 24/x - 1 from -1 to 1: within 3e-17.
constexpr value bessel_i0_far(value w) {
  return composed_polynomial(w, 6.3193507460116599e-13, -2.2894571972440287e-13, -4.6963058994055595e-12,
                             -3.0907224645725184e-12, 8.5972761398960114e-12, 1.554248894451243e-11,
                             1.8796480740491604e-11, 4.581489055443065e-11, 1.5619247986210371e-10,
                             6.4870138998616837e-10, 3.4434443232662393e-9, 2.3688333835772016e-8,
                             2.1716050125475747e-7, 2.7977070262054745e-6, 5.5984825333751018e-5,
                             0.0021821681721167842, 0.40107106506684742);
}
constexpr value bessel_i1_far(value w) {
  return composed_polynomial(w, -6.4065349240474938e-13, 2.7398084101049187e-13, 4.8569350560323337e-12,
                             3.0779519238600712e-12, -9.0878397136274239e-12, -1.6328369526419947e-11,
                             -2.0093851970042227e-11, -4.9795900162612092e-11, -1.7211690019838593e-10,
                             -7.2884426601578626e-10, -3.967564003282031e-9, -2.8253597959007248e-8,
                             -2.7268454604447537e-7, -3.8279513625662e-6, -9.1247553550861522e-5,
                             -0.0064054536034822078, 0.39262449420411656);
}

/// (x + 4)^(3/2) e^-x (I_0(x) - I_1(x)) for w = 16 / (x + 4) - 1 from -1 to 1: within 5e-17.
constexpr value bessel_difference_far(value w) {
  return composed_polynomial(
      w, 1.0877972478282829e-06, -7.566316892415357e-07, -1.0687364701551585e-05, 7.939131268682301e-06,
      4.85068025357064e-05, -3.918088195858275e-05, -0.00013460190657314244, 0.0001213143997678901,
      0.00025393590533682265, -0.000265648941970209, -0.0003399403263340089, 0.00044089114015227217,
      0.0003192848946464692, -0.0005832900174339331, -0.00017930556665535685, 0.0006449541132722031,
      -2.0823012896250335e-05, -0.0006323191409426898, 0.00020178070770007469, 0.0006008723918819836,
      -0.0003092391387832059, -0.0006227006276471358, 0.0002973170412569626, 0.0007466191850081584,
      -4.815243148096505e-05, -0.0008764970212721913, -0.0006727154660042102, 0.0002976919622724858,
      0.0013368944162911634, 0.002337471376779395, 0.00394823513003262, 0.007582848378619951,
      0.016151885310501452, 0.03607733635512614, 0.08095360759826067, 0.1740513881070354,
      0.31756300308860586);
}

/// I_1(x) / x or J_1(x) / x for t = x^2/4 or -x^2/4 of size 1 at most, by its power series: it is what
/// derivatives of every order at 0 are made of.
constexpr value bessel_ratio_series(value t) {
  return composed_polynomial(t, 1.676303778194229e-19, 2.615033893982997e-17, 3.451844740057556e-15,
                             3.7970292140633116e-13, 3.417326292656981e-11, 2.460474930713026e-09,
                             1.3778659611992944e-07, 5.787037037037037e-06, 0.00017361111111111112,
                             0.003472222222222222, 0.041666666666666664, 0.25, 0.5);
}

constexpr value modified_bessel_ratio(value x, bool scaled) {
  const value near = abs(x) < 2.0, t = where(near, x, 0.0), s = where(near, 2.0, x);
  const value series = bessel_ratio_series(square(0.5 * t));
  return where(near, scaled ? exp(-abs(t)) * series : series, modified_bessel(s, {1, scaled}) / s);
}

}  // namespace detail

/// e^-|x| (I_0(|x|) - I_1(|x|)), which two numbers near each other would leave few digits of.
struct bessel_difference_operation : composed_operation<bessel_difference_operation, 1> {
  static constexpr std::string_view name = "i0e";
  static constexpr value forward(value x) {
    const value size = abs(x), near = size < 4.0, t = where(near, size, 0.0),
                s = where(near, 4.0, size) + 4.0;
    const value inside = detail::modified_bessel(t, {0, true}) - detail::modified_bessel(t, {1, true});
    return where(near, inside, detail::bessel_difference_far(16.0 / s - 1.0) / sqrt(s) / s);
  }
};

template <detail::bessel_order Of>
struct modified_bessel_operation : composed_operation<modified_bessel_operation<Of>, 1> {
  static constexpr std::string_view name = Of.order == 0 ? Of.scaled ? "i0e" : "i0"
                                           : Of.scaled   ? "i1e"
                                                         : "i1";
  static constexpr value forward(value x) {
    const value size = abs(x), near = size < 12.0, t = where(near, x, 0.0), s = where(near, 12.0, size);
    const value quarter = square(0.5 * t), w = 24.0 / s - 1.0;
    value inside = Of.order == 0 ? detail::bessel_i0_near(quarter) : t * detail::bessel_i1_near(quarter);
    value outside = (Of.order == 0 ? detail::bessel_i0_far(w) : detail::bessel_i1_far(w)) / sqrt(s);
    if (Of.scaled) {
      inside = inside * exp(-abs(t));
    } else {  // e^s alone would overflow before I_n does; s - 8 is exact
      const value is_infinite = size > detail::largest_finite(x.type());
      outside = where(is_infinite, size, exp(s - 8.0) * (2980.9579870417283 * outside));
    }
    return where(near, inside, Of.order == 0 ? outside : where(x < 0.0, -outside, outside));
  }
  static constexpr value cotangent(auto g, auto x, auto) {
    if (Of.scaled) {
      const value difference = bessel_difference_operation::build(x);
      return g *
             (Of.order == 0 ? -sign(x) * difference : difference - detail::modified_bessel_ratio(x, true));
    }
    const value other = detail::modified_bessel(x, {1 - Of.order, false});
    if (Of.order == 0) return g * other;
    const value is_infinite = other == std::numeric_limits<double>::infinity();  // and so is the ratio
    return g * (other - where(is_infinite, 0.0, detail::modified_bessel_ratio(x, false)));
  }
};

constexpr value detail::modified_bessel(value x, bessel_order of) {
  if (of.order == 0)
    return of.scaled ? modified_bessel_operation<bessel_order{0, true}>::build(x)
                     : modified_bessel_operation<bessel_order{0, false}>::build(x);
  return of.scaled ? modified_bessel_operation<bessel_order{1, true}>::build(x)
                   : modified_bessel_operation<bessel_order{1, false}>::build(x);
}

}  // namespace tapeless
